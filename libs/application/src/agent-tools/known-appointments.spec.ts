import { BookAppointment } from '../appointments/appointment.commands.js';
import { appointmentsProjection } from '../appointments/appointments.projection.js';
import { turnsDuring } from '@testing/event-loop';
import { LEDGER_PROJECT, LedgerWorld } from '@testing/ledger-world';
import { KnownAppointments } from './known-appointments.js';

const HOUR = 3_600_000;

let world: LedgerWorld;
let known: KnownAppointments;
let customerId: string;

beforeEach(async () => {
  world = await (await LedgerWorld.create()).hosting({ projections: [appointmentsProjection as never] });
  known = new KnownAppointments(world.ports.events, world.ports.readModels, world.fresh, world.clock);
  const id = world.ids.next('customer');
  const { customer } = await world.customers.link(LEDGER_PROJECT, { phone: '+4915112345678' }, id, 'link');
  customerId = customer.id;
});
afterEach(() => world.close());

/** Books a visit so many hours from now, in some conversation. */
async function visit(hours: number): Promise<void> {
  const startsAt = world.clock.now() + hours * HOUR;
  const nothing = { sessionId: null, customer: null, externalId: null, resourceId: null, location: null, notes: null };
  const times = { startsAt, endsAt: startsAt + HOUR, timeZone: 'UTC' };
  const input = { ...nothing, ...times, customerId, service: `${hours}`, reason: null, metadata: '{}' };
  await world.booking.execute(new BookAppointment(world.origin(), { ...input, as: { status: 'pending' } }, `conv_${hours}`));
}

describe('the appointments of a customer', () => {
  it('are told upcoming ones soonest first, then the last five past ones newest first, each once', async () => {
    for (const hours of [3, -2, 5, -6, 0, 1, -1, 7, -4, -3, 2, -5]) await visit(hours);
    const told = [1, 2, 3, 5, 7, 0, -1, -2, -3, -4].map(String);
    expect((await known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now')).map(({ service }) => service)).toEqual(told);
    const context = { projectId: LEDGER_PROJECT, customerId, conversationId: 'conv_of_now' };
    expect((await known.within(context, () => false)).map(({ service }) => service)).toEqual(told);
  });

  it('are told as soon as they are booked', async () => {
    for (const hours of [1, 2, 3]) {
      await visit(hours);
      expect(await known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now')).toHaveLength(hours);
    }
  });

  it('are told soonest first however many were booked after the next one', async () => {
    for (let hours = 1; hours <= 230; hours++) await visit(hours);
    const soonest = Array.from({ length: 230 }, (_, index) => `${index + 1}`);
    expect((await known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now')).map(({ service }) => service)).toEqual(soonest);
    const context = { projectId: LEDGER_PROJECT, customerId, conversationId: 'conv_of_now' };
    expect((await known.within(context, () => false)).map(({ service }) => service)).toEqual(soonest.slice(0, 100));
  });

  it('are read in parts, others in between, and those of one project one after the other', async () => {
    for (let hours = 1; hours <= 510; hours++) await visit(hours);
    const { readModels } = world.ports;
    const page = readModels.page.bind(readModels);
    const asked: string[] = [];
    readModels.page = (collection, query) => {
      asked.push(query.projectId === LEDGER_PROJECT ? (query.after ? 'on' : 'begin') : 'other');
      return page(collection, query);
    };
    const ask = (projectId: string) => known.appointmentsOf(projectId, customerId, 'msg_of_now');
    const all = Promise.all([ask(LEDGER_PROJECT), ask(LEDGER_PROJECT), ask('prj_other')]);
    expect(await turnsDuring(all)).toBeGreaterThanOrEqual(4);
    expect(asked.filter((step) => step !== 'other')).toEqual([1, 2].flatMap(() => ['begin', 'begin', 'on', 'on']));
    expect(asked.indexOf('other')).toBeLessThan(4);
    expect((await all).map(({ length }) => length)).toEqual([510, 510, 0]);
  });

  it('are not looked through while their rows are projected anew and are not yet where the older ones were', async () => {
    await visit(1);
    await known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now');
    world = await world.restarted();
    const { schema } = appointmentsProjection;
    await world.ports.readModels.define({ ...schema, version: schema.version + 1 });
    known = new KnownAppointments(world.ports.events, world.ports.readModels, world.fresh, world.clock);
    const context = { projectId: LEDGER_PROJECT, customerId, conversationId: 'conv_of_now' };
    const asked = [known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now'), known.within(context, () => false)];
    const [, ...answers] = await Promise.allSettled([world.clock.advance(2_000), ...asked]);
    for (const answer of answers) expect(answer).toMatchObject({ reason: { code: 'service_unavailable' } });
  });

  it('are looked through in bounded pages, however many they are', async () => {
    for (let hours = 1; hours <= 260; hours++) await visit(hours);
    const page = jest.spyOn(world.ports.readModels, 'page');
    await known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now');
    expect(page.mock.calls.map(([, { limit }]) => limit)).toEqual([100, 250, 250]);
  });
});
