import { specFor } from '@testing/decider-spec';
import { ClaimTaken, claimDecider, type ClaimEvent } from './claim.decider.js';
import { fold } from '../kernel/decider.js';

const { given } = specFor(claimDecider);
const claimed = (holder: string, at = 1): ClaimEvent => ({ type: 'Claimed', at, holder, creation: { of: holder } });
const behind = (ahead: number, holder: string, at = 1): ClaimEvent => ({ ...claimed(holder, at), behind: ahead });
const inTurn = (...holders: readonly string[]) => ({ claimants: holders.map((holder) => expect.objectContaining({ holder })) });
const claim = (holder: string, after: number, at = 2) =>
  ({ type: 'Claim', at, holder, creation: { of: holder }, after }) as const;

describe('a unique value', () => {
  test('is claimed by whoever comes first', () => given().when(claim('a', 0)).then(claimed('a', 2)));
  test('is claimed again by its holder', () => given(claimed('a')).when(claim('a', 1)).then(claimed('a', 2)));
  test('is not taken from a holder who was not seen to leave', () => {
    const held = fold(claimDecider, [claimed('a')]);
    expect(() => claimDecider.decide(claim('b', 0), held)).toThrow(new ClaimTaken());
  });
  test('is not taken from a holder who came back after it was seen to leave', () => {
    const held = fold(claimDecider, [claimed('a'), claimed('a')]);
    expect(() => claimDecider.decide(claim('b', 1), held)).toThrow(new ClaimTaken());
  });
  test('goes to the next when its holder has left', () => given(claimed('a')).when(claim('b', 1)).then(claimed('b', 2)));
  test('is never claimed before the claim ahead of it', () =>
    given(claimed('a', 9))
      .when(claim('b', 1, 2))
      .then(claimed('b', 9)));
  test('carries what its holder is to become', () =>
    given(claimed('a')).thenState({ claimants: [{ holder: 'a', creation: { of: 'a' }, at: 1 }] }));
});

describe('a unique value with a line behind its holder, as earlier versions stored it', () => {
  test('has a hundred in line at most, however many claimed it', () => {
    const names = Array.from({ length: 250 }, (_, n) => `h${n}`);
    const line = fold(claimDecider, [claimed('h0'), ...names.slice(1).map((name, n) => behind(n + 1, name))]);
    expect(line).toEqual({ ...inTurn(...names.slice(0, 100)), term: 250 });
  });
  test('goes to those behind its holder in turn', () => {
    given(claimed('a'), behind(1, 'b'), behind(2, 'c')).thenState(inTurn('a', 'b', 'c'));
    given(claimed('a'), behind(1, 'b'), behind(1, 'c')).thenState(inTurn('b', 'c'));
  });
  test('is claimed once by each: whoever comes back comes last', () =>
    given(claimed('a'), behind(1, 'b'), behind(2, 'a')).thenState(inTurn('b', 'a')));
  test('goes to one who was not there when all before have left, and has no line from then on', () =>
    given(claimed('a'), behind(1, 'b'), claimed('c')).thenState(inTurn('c')));
  test('is claimed without joining the line', () =>
    given(claimed('a'), behind(1, 'b')).when(claim('c', 2)).then(claimed('c', 2)));
});
