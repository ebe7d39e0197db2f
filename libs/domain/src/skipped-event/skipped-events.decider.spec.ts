import { specFor } from '@testing/decider-spec';
import { skippedEventsDecider } from './skipped-events.decider.js';

const { given } = specFor(skippedEventsDecider);

const about = {
  position: '7',
  stream: 'customer-cust_1',
  revision: 2,
  rows: ['cust_1'],
  error: 'TypeError',
  frames: ['a.js:1:2'],
};
const skip = (at: number, skippedEventId: string, changes: Partial<typeof about> = {}) =>
  ({ type: 'SkipEvent', at, skippedEventId, eventType: 'CustomerUpdated', ...about, ...changes }) as const;
const skipped = (at: number, attempt: number, changes: Partial<typeof about> = {}) =>
  ({ type: 'EventSkipped', at, skippedEventId: 'skip_1', attempt, eventType: 'CustomerUpdated', ...about, ...changes }) as const;
const resolve = (at: number, position = '7') => ({ type: 'ResolveSkippedEvent', at, position }) as const;
const resolved = (at: number) => ({ type: 'SkippedEventResolved', at, skippedEventId: 'skip_1', position: '7' }) as const;

describe('an event that could not be applied', () => {
  it('is skipped at its first attempt', () => {
    given().when(skip(1, 'skip_1')).then(skipped(1, 1));
    given(skipped(1, 1)).thenState({
      unresolved: { 7: { id: 'skip_1', type: 'CustomerUpdated', ...about, attempts: 1, firstAt: 1, lastAt: 1 } },
    });
  });

  it('is the same one when it is skipped anew, after one more attempt', () => {
    given(skipped(1, 1))
      .when(skip(5, 'skip_2', { error: 'RangeError' }))
      .then(skipped(5, 2, { error: 'RangeError' }));
    given(skipped(1, 1), skipped(5, 2, { error: 'RangeError' })).thenState({
      unresolved: {
        7: { id: 'skip_1', type: 'CustomerUpdated', ...about, error: 'RangeError', attempts: 2, firstAt: 1, lastAt: 5 },
      },
    });
  });

  it('is resolved once, and stands beside others until then', () => {
    given(skipped(1, 1)).when(resolve(9), resolve(9)).then(resolved(9));
    given(skipped(1, 1)).when(resolve(9, '8')).thenNothing();
    given(skipped(1, 1), resolved(9)).thenState({ unresolved: {}, resolvedAt: 9 });
  });

  it('is another one when it is skipped after it was resolved', () =>
    given(skipped(1, 1), resolved(9))
      .when(skip(10, 'skip_2'))
      .then({ ...skipped(10, 1), skippedEventId: 'skip_2' }));

  it('is never skipped before what happened earlier, though the clock went back', () =>
    given(skipped(5, 1)).when(skip(3, 'skip_2'), resolve(2)).then(skipped(5, 2), resolved(5)));
});
