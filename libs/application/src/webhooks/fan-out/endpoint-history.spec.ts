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
    const asOf = await history.endpointsOf(LEDGER_PROJECT, START);
    for (const count of [3, 1, 2, 0, 3]) expect(asOf(heads[count]!).endpoints).toHaveLength(count);
    expect(asOf(START).endpoints).toEqual([]);
  });

  it('are told with what changed since they were last asked for, to those who ask at the same time', async () => {
    await world.register();
    const before = await events.head();
    await history.endpointsOf(LEDGER_PROJECT, before);
    await world.register();
    const head = await events.head();
    const [one, other] = await Promise.all([
      history.endpointsOf(LEDGER_PROJECT, head),
      history.endpointsOf(LEDGER_PROJECT, before),
    ]);
    expect([one(head), other(head), other(before)].map(({ endpoints }) => endpoints.length)).toEqual([2, 2, 1]);
  });

  it('are told as of an earlier position again, as when work that failed is repeated', async () => {
    await world.register();
    const before = await events.head();
    await world.register();
    const head = await events.head();
    expect((await history.endpointsOf(LEDGER_PROJECT, head))(head).endpoints).toHaveLength(2);
    expect((await history.endpointsOf(LEDGER_PROJECT, before))(before).endpoints).toHaveLength(1);
  });

  it('are read again after few projects with heavy ones, and after many with light ones', async () => {
    const readsOf = async (others: number, metadata: string) => {
      const head = positionAt(50);
      const change = { type: 'EndpointRegistered', at: 1, endpointId: 'we_1', url: 'https://a.b', filters: [], metadata };
      const read = jest.fn((stream: string, { from }: { from: number }) => {
        const changes = from === 0 ? [{ stream, revision: 0, position: positionAt(1), event: change }] : [];
        return Promise.resolve(changes);
      });
      const remembered = new EndpointHistory({ read, onReplaced: () => undefined } as never);
      for (let n = 0; n <= others; n++) await remembered.endpointsOf(`prj_${n}`, head);
      read.mockClear();
      await remembered.endpointsOf('prj_0', head);
      return read.mock.calls[0]?.[1].from;
    };
    expect(await readsOf(20, 'x'.repeat(1_048_576))).toBe(1);
    expect(await readsOf(40, 'x'.repeat(1_048_576))).toBe(0);
    expect(await readsOf(900, '{}')).toBe(1);
    expect(await readsOf(1_100, '{}')).toBe(0);
  });
});

const positionAt = (number: number) => String(number).padStart(20, '0');
