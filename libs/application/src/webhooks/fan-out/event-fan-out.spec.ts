import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { DeliveryWorld } from '@testing/delivery-world';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import { EventFanOut } from './event-fan-out.js';

const THIRTY_DAYS = 30 * 86_400_000;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

describe('a change of the ledger', () => {
  it('is scheduled for who wants it while its window is open, and never for the first time after that', async () => {
    await world.register();
    const { appointment } = await world.ledger.book();
    const { clock, ports } = world.ledger;
    const [change] = await ports.events.read<AppointmentEvent>(`appointment-${appointment.id}`);
    const endpoints = await world.directory.all(LEDGER_PROJECT);
    const fanOut = new EventFanOut(world.emitted, world.scheduling, world.streams, clock);
    clock.set(change!.event.at + THIRTY_DAYS - 1);
    expect(await fanOut.fanOut(change!, endpoints)).toHaveLength(1);
    clock.set(change!.event.at + THIRTY_DAYS);
    expect(await fanOut.fanOut(change!, endpoints)).toEqual([]);
  });
});
