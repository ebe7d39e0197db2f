import type { Decider } from '@domain/kernel/decider';
import { DomainError } from '@domain/kernel/domain-error';
import { specFor } from './decider-spec.js';

type Door = { open: boolean; uses: number };
type Opened = { type: 'Opened'; at: number };

const doorDecider: Decider<Door, 'open' | 'look', Opened> = {
  initial: { open: false, uses: 0 },
  decide(command, door) {
    if (command === 'look') return [];
    if (door.open) throw new DomainError('session_closed', 'Already open.', { param: 'door' });
    return [{ type: 'Opened', at: 1 }];
  },
  evolve: (door) => ({ open: true, uses: door.uses + 1 }),
};

const opened: Opened = { type: 'Opened', at: 1 };
const { given } = specFor(doorDecider);

describe('sentences about a decider', () => {
  it('tell what was decided', () => given().when('open').then(opened));
  it('tell that nothing was', () => given(opened).when('look').thenNothing());
  it('tell what the state is', () => {
    given(opened).thenState({ open: true });
    given().when('look', 'open').thenState({ open: true, uses: 1 });
  });
  it('tell what was refused', () => {
    given(opened).when('open').thenRejects('session_closed');
    given().when('open', 'open').thenRejects('session_closed', { param: 'door' });
  });

  it.each([
    ['other events', () => given().when('open').then()],
    ['an acceptance', () => given().when('open').thenRejects('session_closed')],
    ['another code', () => given(opened).when('open').thenRejects('resource_missing')],
    ['other details', () => given(opened).when('open').thenRejects('session_closed', { param: 'window' })],
    ['events where there should be none', () => given().when('open').thenNothing()],
    ['another state', () => given().thenState({ open: true })],
    ['a refusal of an earlier command', () => given(opened).when('open', 'look').thenRejects('session_closed')],
  ])('fail on %s', (_what, sentence) => expect(sentence).toThrow());

  it('fail on a decider that alters its past', () => {
    const careless: typeof doorDecider = {
      ...doorDecider,
      initial: { open: false, uses: 0 },
      evolve: (door) => Object.assign(door, { open: true }),
    };
    expect(() => specFor(careless).given(opened).thenState({ open: true })).toThrow(TypeError);
  });
});
