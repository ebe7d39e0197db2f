import { originOf } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { timedOut } from '@testing/fake-sender';
import { LEDGER_PROJECT, OTHER_PROJECT } from '@testing/ledger-world';

const DAY = 24 * 3_600_000;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

const registered = async (...filters: readonly string[]) => (await world.register({ filters })).endpoint.id;

function disable(endpointId: string) {
  const change = { type: 'UpdateEndpoint', at: world.ledger.clock.now(), endpointId, changes: { status: 'disabled' } } as const;
  return world.directory.run(LEDGER_PROJECT, { ...change, commandId: 'disabling' }, originOf('disabling'));
}

describe('the replay of an event', () => {
  it('sends the same bytes again to every endpoint that wants it, one that came later too', async () => {
    const first = await registered();
    const eventId = await world.emit();
    await world.quiet();
    const [original] = await world.deliveries(eventId);
    const [later] = [await registered('appointment.created'), await registered('appointment.failed')];
    const fresh = await world.replayEvent(eventId);
    expect(fresh).toMatchObject([
      { eventId, endpointId: first, status: 'pending', trigger: 'replay', replayOf: original?.id, attempts: [] },
      { eventId, endpointId: later, status: 'pending', trigger: 'replay', replayOf: null, attempts: [] },
    ]);
    await world.quiet();
    expect(await world.deliveries(eventId)).toMatchObject([
      original,
      { id: fresh[0]?.id, status: 'succeeded' },
      { id: fresh[1]?.id, status: 'succeeded' },
    ]);
    expect(new Set(world.sender.sent.map(({ body }) => body)).size).toBe(1);
  });

  it('goes to the endpoints that are named, whatever their filters, once each', async () => {
    await registered();
    const [other] = [await registered('appointment.failed'), await registered()];
    const eventId = await world.emit();
    await world.quiet();
    expect(await world.replayEvent(eventId, [other, other])).toMatchObject([{ endpointId: other, replayOf: null }]);
  });

  it('supersedes what waits there', async () => {
    await registered();
    world.sender.answer = () => timedOut();
    const eventId = await world.emit();
    await world.quiet();
    const [waiting] = await world.deliveries(eventId);
    const [fresh] = await world.replayEvent(eventId);
    expect(fresh?.replayOf).toBe(waiting?.id);
    const [before] = await world.deliveries(eventId);
    expect(before).toMatchObject({ status: 'cancelled', cancelReason: 'superseded', supersededBy: fresh?.id });
  });

  it('makes each delivery once under a key, whatever became of the endpoints since', async () => {
    const [one, other] = [await registered(), await registered()];
    const eventId = await world.emit();
    await world.quiet();
    const first = await world.replayEvent(eventId, null, world.ledger.context('key'));
    await disable(one);
    await registered();
    const again = await world.replayEvent(eventId, [one, other], world.ledger.context('key', true));
    expect(again.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    expect(await world.deliveries(eventId)).toHaveLength(4);
  });

  it('is made by the second execution where the first made nothing', async () => {
    await registered();
    const eventId = await world.emit();
    expect(await world.replayEvent(eventId, null, world.ledger.context('key', true))).toHaveLength(1);
  });

  it('is of nothing where no endpoint wants it', async () => {
    const eventId = await world.emit();
    expect(await world.replayEvent(eventId)).toEqual([]);
  });

  it('refuses an endpoint that is disabled, unknown or deleted, and makes no other delivery then', async () => {
    const [one, other] = [await registered(), await registered()];
    const eventId = await world.emit();
    await world.quiet();
    await disable(other);
    await expect(world.replayEvent(eventId, [one, other])).rejects.toMatchObject({ code: 'webhook_endpoint_disabled' });
    await expect(world.replayEvent(eventId, [one, 'we_nobody'])).rejects.toMatchObject({
      code: 'resource_missing',
      details: { param: 'endpoint_ids' },
    });
    expect(await world.deliveries(eventId)).toHaveLength(2);
    expect(await world.replayEvent(eventId)).toMatchObject([{ endpointId: one }]);
  });

  it("refuses another project's event, an unknown one and an expired one", async () => {
    await registered();
    const eventId = await world.emit();
    await world.quiet();
    const foreign = world.ledger.context(null, false, OTHER_PROJECT);
    await expect(world.replayEvent(eventId, null, foreign)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(world.replayEvent('nobody')).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(world.replayEvent('evt_01J9Z3K8Q4T6V8X0A2C4E6G8J0')).rejects.toMatchObject({ code: 'resource_missing' });
    world.ledger.clock.set(world.ledger.clock.now() + 30 * DAY);
    await expect(world.replayEvent(eventId)).rejects.toMatchObject({ code: 'event_expired' });
  });
});

describe('an event that is replayed before it is fanned out', () => {
  it('has its first deliveries too, of the endpoints as of its own time', async () => {
    await world.close();
    let stopped!: DeliveryWorld;
    world = await DeliveryWorld.create({}, (made) => {
      stopped = made;
      jest.spyOn(made.reactors[0]!, 'handle').mockResolvedValue();
    });
    const [one] = [await stopped.register()];
    const eventId = await stopped.emit();
    await stopped.register();
    const fresh = await stopped.replayEvent(eventId, [one.endpoint.id]);
    expect(await stopped.deliveries(eventId)).toMatchObject([
      { trigger: 'event', endpointId: one.endpoint.id, status: 'cancelled', cancelReason: 'superseded' },
      { id: fresh[0]?.id, trigger: 'replay' },
    ]);
  });
});
