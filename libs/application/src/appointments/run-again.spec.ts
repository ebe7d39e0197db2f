import type { Appointment } from '@domain/appointment/appointment';
import { DeleteCustomer } from '@application/customers/customer.commands';
import { DeleteCustomerHandler } from '@application/customers/customer.handlers';
import { landsLate } from '@testing/late-append';
import { originOf } from '@testing/envelopes';
import { HALF_HOUR, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';
import type { BookingInput } from './appointment.commands.js';

const PHONE = '+4915112345678';

let world: LedgerWorld;
beforeEach(async () => {
  world = await LedgerWorld.create();
});
afterEach(() => world.close());

type Changing = (id: string, context?: ReturnType<LedgerWorld['context']>) => Promise<Appointment>;

const hoursLater = (hours: number) => ({ startsAt: NINE_ON_MONDAY + 2 * hours * HALF_HOUR, endsAt: null });
const move = (hours: number, mode: 'in_place' | 'cancel_and_recreate'): Changing => {
  const change = { type: 'RescheduleAppointment', mode, confirm: false, ...hoursLater(hours) } as const;
  return (id, context) => world.change(id, change, context);
};
const amend: Changing = (id, context = world.context()) =>
  world.change(id, { type: 'AmendAppointment', changes: { notes: context.commandId } }, context);

const changes: Readonly<Record<string, Changing>> = {
  confirm: (id, context) => world.change(id, { type: 'ConfirmAppointment' }, context),
  cancel: (id, context) => world.change(id, { type: 'CancelAppointment', reason: null, cancelledBy: 'customer' }, context),
  fail: (id, context) => world.change(id, { type: 'FailAppointment', code: 'calendar_unavailable', message: '' }, context),
  move: move(1, 'in_place'),
  'move by cancelling': move(2, 'cancel_and_recreate'),
  rebook: (id, context) => world.change(id, { type: 'RebookAppointment', ...hoursLater(3) }, context),
  amend,
};
const others: Readonly<Record<string, Changing>> = {
  ...changes,
  'move on': move(4, 'in_place'),
  'amend twelve times': async (id) => {
    for (let time = 0; time < 12; time++) await amend(id);
    return world.appointments.peek(id);
  },
};
const names = Object.keys(others);
const sequences = [...names.map((name) => [name]), ...Object.keys(changes).flatMap((one) => names.map((two) => [one, two]))];

/** Carries out the commands that the appointment's status allows and skips the others. */
async function carryOut(sequence: readonly string[], id: string): Promise<void> {
  for (const name of sequence) await others[name]?.(id).catch(() => undefined);
}

async function booked(input: Partial<BookingInput> = {}, context = world.context()): Promise<string> {
  return (await world.book({ service: `service ${world.ids.next('event')}`, ...input }, context)).appointment.id;
}

describe('a change that runs again after others', () => {
  it.each(Object.keys(changes))('%s: adds nothing and shows the appointment as they left it', async (name) => {
    for (const [index, sequence] of sequences.entries()) {
      const id = await booked();
      if (name === 'rebook') await changes['cancel']?.(id);
      const key = `${name} ${index}`;
      await changes[name]?.(id, world.context(key));
      await carryOut(sequence, id);
      const [before, head] = [await world.appointments.peek(id), await world.ports.events.head()];
      expect([sequence, await changes[name]?.(id, world.context(key, true))]).toEqual([sequence, before]);
      expect([sequence, await world.ports.events.head()]).toEqual([sequence, head]);
    }
  });
});

describe('a booking that runs again', () => {
  it('after its appointment moved away and another took its place, is its own appointment still', async () => {
    const first = await world.book({}, world.context('key'));
    await move(1, 'in_place')(first.appointment.id);
    const other = await world.book();
    expect(other.deduplicated).toBe(false);
    const again = await world.book({}, world.context('key', true));
    expect(again).toMatchObject({ deduplicated: false, appointment: { id: first.appointment.id, status: 'rescheduled' } });
  });

  it.each(['pending', 'failed'] as const)('after its customer was deleted, is the %s one that was made', async (status) => {
    const { customer } = await world.customers.link(
      world.context().projectId,
      { phone: PHONE },
      world.ids.next('customer'),
      originOf('c'),
    );
    const as = status === 'failed' ? ({ status, code: 'calendar_unavailable', message: '' } as const) : { status };
    const id = await booked({ customerId: customer.id, service: 'cleaning', as }, world.context('key'));
    const deleting = new DeleteCustomerHandler(world.customers, world.streams, world.clock);
    await deleting.execute(new DeleteCustomer(world.context(), customer.id));
    const again = await world.book({ customerId: customer.id, service: 'cleaning', as }, world.context('key', true));
    expect(again).toMatchObject({ deduplicated: false, appointment: { id, status, customerId: customer.id } });
  });
});

describe('a change whose first append lands while its retry looks for it', () => {
  it.each(Object.keys(changes))('%s: is answered with the appointment as it is then', async (name) => {
    const id = await booked();
    if (name === 'rebook') await changes['cancel']?.(id);
    landsLate(world.ports.events, () => changes[name]!(id, world.context('key')));
    const answer = await changes[name]!(id, world.context('key', true));
    expect(answer).toEqual(await world.appointments.peek(id));
    expect(answer.updatedAt).toBe(world.clock.now());
  });
});
