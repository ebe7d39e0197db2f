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

  it('is told of an appointment that was amended without end from a part of its story at a time, and once', async () => {
    const { events } = world.ports;
    const { id } = (await world.book({ startsAt: NINE_ON_MONDAY })).appointment;
    for (let n = 0; n < 450; n++) await world.change(id, { type: 'AmendAppointment', changes: { notes: `note ${n}` } });
    await world.change(id, { type: 'ConfirmAppointment' });
    await world.change(id, { type: 'AmendAppointment', changes: { notes: 'last' } });
    await world.change(id, { type: 'CancelAppointment', reason: null, cancelledBy: 'customer' });
    const story = await events.read<AppointmentEvent>(`appointment-${id}`);
    const [confirmed, cancelled] = story.filter(({ event }) => emittedType(event)).slice(1);
    const reads = jest.spyOn(events, 'read');
    const following = new EmittedEvents(events);
    expect((await following.eventOf(confirmed!))?.body).toContain('note 449');
    expect(reads.mock.calls.every(([, options]) => (options?.limit ?? Infinity) <= 200)).toBe(true);
    reads.mockClear();
    expect((await following.eventOf(cancelled!))?.body).toContain('last');
    expect(reads.mock.calls.map(([, options]) => options?.from)).toEqual([confirmed!.revision + 1]);
  });
});
