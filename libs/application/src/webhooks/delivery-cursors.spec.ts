import { LEDGER_PROJECT } from '@testing/ledger-world';
import { DeliveryWorld } from '@testing/delivery-world';
import { Cursors } from '../paging/cursor.js';
import { sortIdOf } from '../paging/paged-list.js';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

const NAME = { list: 'deliveries', idKind: 'delivery' } as const;

/** Cursors as every version made them: the sort id is the delivery's place in its stream. */
async function cursorsOf(eventId: string): Promise<readonly string[]> {
  const { events } = world.ledger.ports;
  const cursors = new Cursors(world.ledger.secrets);
  const name = { ...NAME, log: `${await events.identity()}/${eventId}` };
  const scheduled = (await events.read(`deliveries-${eventId}`)).filter(({ event }) => event.type === 'DeliveryScheduled');
  return scheduled.map(({ event, revision }) => cursors.encode(name, { createdAt: event.at, sortId: sortIdOf(revision) }));
}

it('a cursor that an earlier version handed out leads on from the same delivery, also among replays of one moment', async () => {
  await world.register();
  await world.register({ url: 'https://b.example' });
  const eventId = await world.emit();
  await world.quiet();
  const [first] = await world.deliveries(eventId);
  for (let replay = 0; replay < 3; replay++) {
    await world.replay(eventId, first!.id);
    await world.quiet();
  }
  const ids = (await world.deliveries(eventId)).map(({ id }) => id);
  const cursors = await cursorsOf(eventId);
  expect(cursors).toHaveLength(5);
  for (const [index, startingAfter] of cursors.entries()) {
    const beyond = async (order: 'asc' | 'desc') =>
      (await world.deliveries(eventId, LEDGER_PROJECT, { startingAfter, order })).map(({ id }) => id);
    expect(await beyond('asc')).toEqual(ids.slice(index + 1));
    expect(await beyond('desc')).toEqual(ids.slice(0, index).toReversed());
  }
});
