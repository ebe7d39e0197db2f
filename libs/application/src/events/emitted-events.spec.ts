import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import type { Recorded } from '@ports/event-store.port';
import { emittedType } from '@domain/appointment/emission';
import { HALF_HOUR, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';
import { EmittedEvents } from './emitted-events.js';

let world: LedgerWorld;
let begun = 0;
beforeEach(async () => {
  world = await LedgerWorld.create();
});
afterEach(() => world.close());

async function changes(): Promise<readonly Recorded<AppointmentEvent>[]> {
  const { id } = (await world.book({ startsAt: NINE_ON_MONDAY + begun++ * HALF_HOUR * 2 })).appointment;
  await world.change(id, { type: 'ConfirmAppointment' });
  await world.change(id, { type: 'AmendAppointment', changes: { notes: 'Brings a friend.' } });
  await world.change(id, { type: 'CancelAppointment', reason: null, cancelledBy: 'customer' });
  return world.ports.events.read<AppointmentEvent>(`appointment-${id}`);
}

describe('what a change emitted', () => {
  it('is the same to whoever follows the ledger, begins in its middle, or looks it up', async () => {
    const { events } = world.ports;
    const all = [...(await changes()), ...(await changes())].filter(({ event }) => emittedType(event));
    expect(all).toHaveLength(6);
    const following = new EmittedEvents(events);
    for (const change of all) {
      const emitted = await following.eventOf(change);
      expect(emitted).not.toBeNull();
      expect(await new EmittedEvents(events).eventOf(change)).toEqual(emitted);
      expect(await new EmittedEvents(events).eventIn(change.stream, change.revision)).toEqual(emitted);
      expect(await following.eventOf(change)).toEqual(emitted);
    }
  });
});
