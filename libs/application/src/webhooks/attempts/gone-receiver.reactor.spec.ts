import { endpointOf } from '@domain/endpoint/endpoint';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { Recorded } from '@ports/event-store.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import { GoneReceiverReactor } from './gone-receiver.reactor.js';

const NEVER = new AbortController().signal;

let world: DeliveryWorld;
afterEach(() => world.close());

const endpoint = async (id: string) => endpointOf(await world.directory.all(LEDGER_PROJECT), id);

async function enable(endpointId: string): Promise<void> {
  const command = { type: 'UpdateEndpoint', at: world.ledger.clock.now(), endpointId, commandId: 'enable' } as const;
  await world.directory.run(LEDGER_PROJECT, { ...command, changes: { status: 'enabled' } }, world.ledger.context());
}

describe('an endpoint whose receiver answers 410', () => {
  it('is disabled where that was asked for, and what waits for it is cancelled', async () => {
    world = await DeliveryWorld.create();
    world.sender.answer = () => answered(503);
    const { endpoint: registered } = await world.register({ disableOnGone: true });
    const waiting = await world.emit();
    await world.quiet();
    world.sender.answer = () => answered(410);
    const gone = await world.emit(NINE_ON_MONDAY + HALF_HOUR);
    await world.quiet();
    expect(await endpoint(registered.id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    expect(await world.deliveries(gone)).toMatchObject([{ status: 'failed', failureReason: 'permanent_rejection' }]);
    expect(await world.deliveries(waiting)).toMatchObject([{ status: 'cancelled', cancelReason: 'endpoint_disabled' }]);
  });

  it('stays enabled otherwise', async () => {
    world = await DeliveryWorld.create();
    world.sender.answer = () => answered(410);
    const { endpoint: registered } = await world.register();
    await world.emit();
    await world.quiet();
    expect(await endpoint(registered.id)).toMatchObject({ status: 'enabled', disabledReason: null });
  });

  it('is disabled once by one answer, though that is read again after a crash when it was enabled meanwhile', async () => {
    world = await DeliveryWorld.create();
    world.sender.answer = () => answered(410);
    const { endpoint: registered } = await world.register({ disableOnGone: true });
    const eventId = await world.emit();
    await world.quiet();
    await enable(registered.id);
    const reactor = new GoneReceiverReactor(world.streams, world.directory);
    const stored = await world.ledger.ports.events.read<DeliveryEvent>(`deliveries-${eventId}`);
    await reactor.handle(stored as readonly Recorded[], NEVER);
    expect(stored.some((record) => reactor.partitionKey(record) !== null)).toBe(true);
    expect(await endpoint(registered.id)).toMatchObject({ status: 'enabled', disabledReason: null });
  });
});
