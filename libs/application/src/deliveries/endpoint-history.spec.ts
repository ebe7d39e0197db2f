import { START, type EventStore } from '@ports/event-store.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { EndpointHistory } from './endpoint-history.js';

let world: DeliveryWorld;
let events: EventStore;
let history: EndpointHistory;
beforeEach(async () => {
  world = await DeliveryWorld.create();
  ({ events } = world.ledger.ports);
  history = new EndpointHistory(events);
});
afterEach(() => world.close());

describe('the endpoints of a project', () => {
  it('are told as they were at any position, in whatever order it is asked', async () => {
    const heads = [await events.head()];
    for (let count = 1; count <= 3; count += 1) {
      await world.register();
      heads.push(await events.head());
    }
    const asOf = await history.of(LEDGER_PROJECT);
    for (const count of [3, 1, 2, 0, 3]) expect(asOf(heads[count]!).endpoints).toHaveLength(count);
    expect(asOf(START).endpoints).toEqual([]);
  });

  it('are told with what changed since they were last asked for, to those who ask at the same time', async () => {
    await world.register();
    await history.of(LEDGER_PROJECT);
    await world.register();
    const [one, other] = await Promise.all([history.of(LEDGER_PROJECT), history.of(LEDGER_PROJECT)]);
    const head = await events.head();
    expect([one(head).endpoints.length, other(head).endpoints.length]).toEqual([2, 2]);
  });
});
