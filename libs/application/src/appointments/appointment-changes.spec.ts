import fc from 'fast-check';
import type { Appointment } from '@domain/appointment/appointment';
import type { PastChange } from '@domain/appointment/past-change';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { HALF_HOUR, LEDGER_PROJECT, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';
import type { PageRequest } from '../paging/page.js';
import { ListAppointmentChanges, GetAppointment, type AppointmentChange, type BookingInput } from './appointment.commands.js';
import { GetAppointmentHandler } from './appointment.handlers.js';
import { toAppointmentResource, toMemberChanges } from './appointment.resource.js';
import { ListAppointmentChangesHandler } from './list-appointment-changes.handler.js';

let world: LedgerWorld;
beforeEach(async () => {
  world = await LedgerWorld.create();
});
afterEach(() => world.close());

const time = fc.nat(3).map((n) => ({ startsAt: NINE_ON_MONDAY + n * HALF_HOUR, endsAt: null }));
const command: fc.Arbitrary<Partial<AppointmentChange>> = fc.oneof(
  fc.constant({ type: 'ConfirmAppointment' as const }),
  fc.constant({ type: 'CancelAppointment' as const, reason: null, cancelledBy: 'customer' as const }),
  fc.constant({ type: 'FailAppointment' as const, code: 'closed', message: 'Closed.' }),
  time.map((to) => ({ type: 'RebookAppointment' as const, ...to })),
  fc
    .record({ to: time, mode: fc.constantFrom('in_place' as const, 'cancel_and_recreate' as const), confirm: fc.boolean() })
    .map(({ to, ...how }) => ({ type: 'RescheduleAppointment' as const, ...to, ...how })),
  fc
    .record({
      notes: fc.constantFrom(null, '', 'by the window'),
      metadata: fc.constantFrom('{}', '{"2":1,"1":1.0}', '{"1":1.0,"2":1}'),
    })
    .map((changes) => ({ type: 'AmendAppointment' as const, changes })),
);
const booking: fc.Arbitrary<Partial<BookingInput>> = fc.record({
  notes: fc.constantFrom(null, 'by the window'),
  as: fc.constantFrom<BookingInput['as']>(
    { status: 'pending' },
    { status: 'confirmed' },
    { status: 'failed', code: 'full', message: 'Full.' },
  ),
});
const story = fc.record({
  booking,
  /** Each with the milliseconds that pass before it. */
  commands: fc.array(fc.tuple(fc.constantFrom(0, 1, 60_000), command), { maxLength: 12 }),
});
type Story = typeof story extends fc.Arbitrary<infer S> ? S : never;

async function live(told: Story, startsAt: number): Promise<string> {
  const { id } = (await world.book({ ...told.booking, startsAt, service: `cut ${startsAt}` })).appointment;
  for (const [passes, change] of told.commands) {
    world.clock.set(world.clock.now() + passes);
    await world.change(id, change as AppointmentChange).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  }
  return id;
}

async function pageOf(id: string, request: Partial<PageRequest> = {}) {
  const page = { limit: 100, order: 'asc', startingAfter: null, endingBefore: null, ...request } as const;
  const handler = new ListAppointmentChangesHandler(world.appointments, world.ports.events, world.lists);
  return handler.execute(new ListAppointmentChanges(LEDGER_PROJECT, id, page));
}

const appointmentOf = (id: string, asOf: number | null = null): Promise<Appointment> =>
  new GetAppointmentHandler(world.appointments, world.ports.events, world.clock).execute(
    new GetAppointment(LEDGER_PROJECT, id, asOf),
  );

const shown = (appointment: Appointment): object => JSON.parse(renderJson(toAppointmentResource(appointment))) as object;
const withoutNulls = (members: object) => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** The members after these changes; each has to begin where the one before ended, and to change something. */
function applied(changes: readonly PastChange[]): object {
  const members: Record<string, unknown> = {};
  for (const change of changes) {
    const told = JSON.parse(renderJson(toMemberChanges(change))) as Record<string, readonly [unknown, unknown]>;
    for (const [name, [was, is]] of Object.entries(told)) {
      expect([name, members[name] ?? null]).toEqual([name, was]);
      members[name] = is;
    }
  }
  return withoutNulls(members);
}

describe('the history of an appointment', () => {
  it('begins with nothing and ends with the appointment as it is shown, whatever happened to it', async () => {
    const kinds = new Set<string>();
    let booked = 0;
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const id = await live(told, NINE_ON_MONDAY + ++booked * 86_400_000);
        const { items } = await pageOf(id);
        expect(applied(items)).toEqual(withoutNulls(shown(await appointmentOf(id))));
        expect(items.map((item) => item.id)).toEqual(items.map((_, index) => `${id}.${index + 1}`));
        for (const { type } of items) kinds.add(type);
      }),
      { numRuns: 60 },
    );
    expect([...kinds].toSorted()).toEqual(['amended', 'cancelled', 'confirmed', 'created', 'failed', 'rescheduled']);
  });

  it('is what the appointment was at each of its instants, and before the first it was not', async () => {
    let booked = 0;
    await fc.assert(
      fc.asyncProperty(story, async (told) => {
        const id = await live(told, NINE_ON_MONDAY + ++booked * 86_400_000);
        const { items } = await pageOf(id);
        for (const { at } of items) {
          const until = items.filter((item) => item.at <= at);
          expect(withoutNulls(shown(await appointmentOf(id, at)))).toEqual(applied(until));
          expect(shown(await appointmentOf(id, at))).toEqual(shown(until.at(-1)!.after));
        }
        await expect(appointmentOf(id, items[0]!.at - 1)).rejects.toMatchObject({ code: 'resource_missing' });
        expect(await appointmentOf(id, world.clock.now() + 1)).toEqual(await appointmentOf(id));
      }),
      { numRuns: 40 },
    );
  });

  it('is the same in pages of any size, in either order, by cursors and by ids', async () => {
    let booked = 0;
    const pages = fc.record({ story, limit: fc.integer({ min: 1, max: 5 }), desc: fc.boolean(), byId: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(pages, async ({ story: told, limit, desc, byId }) => {
        const id = await live(told, NINE_ON_MONDAY + ++booked * 86_400_000);
        const whole = (await pageOf(id)).items.map((item) => item.id);
        const order = desc ? 'desc' : 'asc';
        const read: string[] = [];
        for (let after: string | null = null, isMore = true; isMore;) {
          const { items, hasMore, nextCursor } = await pageOf(id, { limit, order, startingAfter: after });
          read.push(...items.map((item) => item.id));
          [after, isMore] = [byId ? (read.at(-1) ?? null) : nextCursor, hasMore];
        }
        expect(read).toEqual(desc ? whole.toReversed() : whole);
        const before = await pageOf(id, { limit, order, endingBefore: read.at(-1)! });
        expect(before.items.map((item) => item.id)).toEqual(read.slice(0, -1).slice(-limit));
      }),
      { numRuns: 40 },
    );
  });
});
