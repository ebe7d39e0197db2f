import { readPreference } from './read-preference.js';

describe('how a client prefers to wait', () => {
  it.each([
    [undefined, 'reply', null],
    ['respond-async', 0, 'respond-async'],
    ['Respond-Async', 0, 'respond-async'],
    ['wait=5', 5_000, 'wait=5'],
    ['wait = "5"; priority=1', 5_000, 'wait=5'],
    ['wait=0', 0, 'wait=0'],
    ['wait=99', 30_000, 'wait=30'],
    ['wait=9999999999', 30_000, 'wait=30'],
    ['wait=5, respond-async', 0, 'respond-async'],
    ['handling=lenient, wait=2, wait=9', 2_000, 'wait=2'],
    ['wait=soon', 'reply', null],
    ['wait=-1', 'reply', null],
    ['wait=1.5', 'reply', null],
    ['return=minimal', 'reply', null],
    [',,=', 'reply', null],
  ] as const)('%s', (prefer, wait, applied) => {
    expect(readPreference(prefer === undefined ? {} : { prefer }, 30_000)).toEqual({ wait, applied });
  });

  it('is read from several headers', () => {
    expect(readPreference({ prefer: ['return=minimal', 'wait=1'] as never }, 30_000)).toEqual({ wait: 1_000, applied: 'wait=1' });
  });
});
