import { idsContract } from '@ports/contracts/ids.contract';
import { FakeIds } from './fake-ids.js';

idsContract('FakeIds', (clock) => new FakeIds(clock));

describe('fake ids', () => {
  const draw = (ids: FakeIds) => [ids.next('message'), ids.uuid(), ids.chance(), [...ids.bytes(40)]];

  it('are the same for the same seed', () => expect(draw(new FakeIds())).toEqual(draw(new FakeIds())));
  it('differ between seeds', () => expect(draw(new FakeIds())).not.toEqual(draw(new FakeIds(undefined, 2))));
});
