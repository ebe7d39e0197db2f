import type { BookAppointment } from '@domain/appointment/appointment.commands';
import { idFor } from '../runtime/request-context.js';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { HALF_HOUR, LEDGER_PROJECT, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';

const CUSTOMER = { phone: '+4915112345678' };
const TEN = NINE_ON_MONDAY + HALF_HOUR;
const cancel = { type: 'CancelAppointment', reason: null, cancelledBy: 'customer' } as const;
const moveTo = (startsAt: number) =>
  ({ type: 'RescheduleAppointment', startsAt, endsAt: null, mode: 'in_place', confirm: false }) as const;

let world: LedgerWorld;
beforeEach(async () => {
  world = await LedgerWorld.create();
});
afterEach(() => world.close());

async function openCall(conversationId: string | null = null): Promise<string> {
  const sessionId = idFor(world.ids, world.context(), 'session', 'session');
  const call = { direction: 'inbound', from: null, to: null, conversationId, metadata: '{}', externalId: null } as const;
  const creation = { ...call, customer: null, sessionId, projectId: LEDGER_PROJECT, at: world.clock.now() };
  return (await world.opening.open(creation, originOf(sessionId))).id;
}

describe('a booking that is repeated in other words', () => {
  it.each(['Checkup ', ' CHECKUP', 'checkup\u00a0'])('is the first one: %j', async (service) => {
    const first = await world.book({ service: 'checkup', customer: CUSTOMER });
    expect(await world.book({ service, customer: CUSTOMER })).toEqual({ ...first, deduplicated: true });
  });

  it('keeps the name that it was booked under, and gives the time back when it is cancelled', async () => {
    const { appointment } = await world.book({ service: 'Dental Checkup ' });
    const again = await world.book({ service: 'dental checkup' });
    expect(again.appointment.service).toBe('Dental Checkup ');
    await world.change(appointment.id, cancel);
    expect(await world.book({ service: 'DENTAL CHECKUP' })).toMatchObject({ deduplicated: false });
  });

  it('is refused to a move under the other name', async () => {
    const first = await world.book({ service: 'checkup', startsAt: TEN });
    const { appointment } = await world.book({ service: 'Checkup' });
    await expect(world.change(appointment.id, moveTo(TEN))).rejects.toMatchObject({
      code: 'appointment_duplicate',
      details: { extras: { existing_id: first.appointment.id } },
    });
  });
});

describe('a booking on a call that gets its customer later', () => {
  it('is the one that the call made for nobody', async () => {
    const sessionId = await openCall();
    const first = await world.book({ sessionId, service: 'checkup' });
    const again = await world.book({ sessionId, service: 'Checkup ', customer: CUSTOMER });
    expect(again).toEqual({ ...first, deduplicated: true });
  });

  it('is the one that its conversation made for nobody', async () => {
    const conversationId = 'conv_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
    const first = await world.book({ sessionId: await openCall(conversationId) });
    await world.change(first.appointment.id, cancel);
    const sessionId = await openCall(conversationId);
    const second = await world.book({ sessionId });
    expect(await world.book({ sessionId, customer: CUSTOMER })).toEqual({ ...second, deduplicated: true });
  });

  it('is another for another time, on another call, for another customer, and once the first is cancelled', async () => {
    const sessionId = await openCall();
    const first = await world.book({ sessionId });
    const known = { sessionId, customer: CUSTOMER };
    expect(await world.book({ ...known, startsAt: TEN })).toMatchObject({ deduplicated: false });
    expect(await world.book({ ...known, sessionId: await openCall() })).toMatchObject({ deduplicated: false });
    await world.change(first.appointment.id, cancel);
    expect(await world.book({ ...known, customer: { phone: '+4915112345679' } })).toMatchObject({ deduplicated: false });
  });

  it('is not moved to a time at which the call has the same service for nobody', async () => {
    const sessionId = await openCall();
    const first = await world.book({ sessionId, startsAt: TEN });
    const { appointment } = await world.book({ sessionId, customer: CUSTOMER });
    await expect(world.change(appointment.id, moveTo(TEN))).rejects.toMatchObject({
      details: { extras: { existing_id: first.appointment.id } },
    });
  });
});

describe('a booking that an earlier version claimed under the service to the letter', () => {
  const SERVICE = 'Dental Cleaning ';

  /** Stores the claim and, unless its process died before that, the booking. */
  async function bookedBefore(died = false) {
    const claim = jest.spyOn(world.claims, 'acquire');
    const context = world.context();
    await world.book({ service: SERVICE }, context);
    const [[request]] = claim.mock.calls as unknown as [[{ readonly creation: BookAppointment }]];
    claim.mockRestore();
    await world.close();
    world = await LedgerWorld.create();
    const { creation } = request;
    const holder = creation.details.appointmentId;
    const value = JSON.stringify([null, SERVICE, null, NINE_ON_MONDAY]);
    const hasLeft = () => Promise.resolve(false);
    await world.claims.acquire({
      kind: 'booking',
      projectId: LEDGER_PROJECT,
      value,
      holder,
      creation,
      origin: originOf('old'),
      hasLeft,
    });
    if (!died) await world.appointments.begin(holder, creation, ENVELOPE);
    return holder;
  }

  it.each([
    ['', false],
    [' but had not booked when it died', true],
  ])('is found by it%s', async (_, died) => {
    const id = await bookedBefore(died);
    expect(await world.book({ service: SERVICE })).toMatchObject({ deduplicated: true, appointment: { id } });
  });

  it('holds its time against a move, and gives it back when it is cancelled', async () => {
    const id = await bookedBefore();
    const { appointment } = await world.book({ service: SERVICE, startsAt: TEN });
    await expect(world.change(appointment.id, moveTo(NINE_ON_MONDAY))).rejects.toMatchObject({
      details: { extras: { existing_id: id } },
    });
    await world.change(id, cancel);
    expect(await world.change(appointment.id, moveTo(NINE_ON_MONDAY))).toMatchObject({ startsAt: NINE_ON_MONDAY });
  });

  it('moves away and back', async () => {
    const id = await bookedBefore();
    await world.change(id, moveTo(TEN));
    expect(await world.change(id, moveTo(NINE_ON_MONDAY))).toMatchObject({ id, startsAt: NINE_ON_MONDAY, version: 3 });
    expect(await world.book({ service: 'dental cleaning' })).toMatchObject({ deduplicated: true, appointment: { id } });
  });
});
