import { TestEndpoint } from '../../webhooks/delivery.commands.js';
import { TestEndpointHandler } from '../../webhooks/test-endpoint.handler.js';
import { answered } from '@testing/fake-sender';
import { IssueWorld } from '@testing/issue-world';

const S = 1_000;
const M = 60 * S;

let world: IssueWorld;
beforeEach(async () => {
  world = await IssueWorld.create();
});
afterEach(() => world.close());

const ofKind = async (kind: string) => (await world.issues()).filter((issue) => issue.kind === kind);

describe('a delivery that failed for good', () => {
  const refuse = async (count = 1) => {
    world.deliveries.sender.answer = () => answered(404);
    const { endpoint } = await world.deliveries.register();
    const eventIds: string[] = [];
    for (let number = 0; number < count; number++) {
      eventIds.push(await world.deliveries.emit(Date.UTC(2026, 2, 2, 9 + number)));
      await world.deliveries.quiet();
    }
    await world.round();
    return { endpoint, eventIds };
  };
  const replayed = async (eventId: string) => {
    const [delivery] = await world.deliveries.deliveries(eventId);
    await world.deliveries.replay(eventId, delivery!.id);
    await world.deliveries.quiet();
  };

  it('is an issue of its endpoint until every such event has succeeded there', async () => {
    const { endpoint, eventIds } = await refuse(2);
    expect(await ofKind('deliveries_failed')).toMatchObject([
      { subject: { id: endpoint.id }, status: 'open', count: 2, cause: { code: 'delivery_failed' } },
    ]);
    world.deliveries.sender.answer = () => answered(200);
    await replayed(eventIds[0]!);
    await world.elapse(3 * M, 10 * S);
    expect(await ofKind('deliveries_failed')).toMatchObject([{ status: 'open' }]);
    await replayed(eventIds[1]!);
    await world.elapse(80 * S, 10 * S);
    expect(await ofKind('deliveries_failed')).toMatchObject([{ status: 'closed', count: 2 }]);
  });

  it('is no longer one once its event is older than 30 days', async () => {
    await refuse();
    world.ledger.clock.elapse(29 * 24 * 60 * M);
    await world.elapse(3 * M, M);
    expect(await ofKind('deliveries_failed')).toMatchObject([{ status: 'open' }]);
    world.ledger.clock.elapse(24 * 60 * M);
    await world.elapse(3 * M, M);
    expect(await ofKind('deliveries_failed')).toMatchObject([{ status: 'closed' }]);
  });

  it('counts anew in the next issue', async () => {
    const { eventIds } = await refuse(2);
    world.deliveries.sender.answer = () => answered(200);
    for (const id of eventIds) await replayed(id);
    await world.elapse(15 * M, 30 * S);
    world.deliveries.sender.answer = () => answered(404);
    await world.deliveries.emit(Date.UTC(2026, 2, 3, 9));
    await world.elapse(10 * S, 2 * S);
    expect(await ofKind('deliveries_failed')).toMatchObject([
      { status: 'closed', count: 2 },
      { status: 'open', count: 1 },
    ]);
  });

  it('is none when it was a test', async () => {
    world.deliveries.sender.answer = () => answered(404);
    const { endpoint } = await world.deliveries.register();
    const { directory, streams, scheduling, ledger } = world.deliveries;
    const testing = new TestEndpointHandler(directory, streams, scheduling, ledger.clock, ledger.ids);
    await testing.execute(new TestEndpoint(ledger.context(), endpoint.id, 'appointment.created', {}));
    await world.deliveries.quiet();
    expect(world.deliveries.sender.sent).toHaveLength(1);
    await world.round();
    expect(await ofKind('deliveries_failed')).toEqual([]);
  });
});
