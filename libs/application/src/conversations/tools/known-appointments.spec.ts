import { StoreUnavailable } from '@ports/event-store.port';
import { BookAppointment } from '../../appointments/appointment.commands.js';
import { appointmentsProjection } from '../../appointments/appointments.projection.js';
import { originOf } from '@testing/envelopes';
import { turnsDuring } from '@testing/event-loop';
import { settle } from '@testing/fake-clock';
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
  const { customer } = await world.customers.link(LEDGER_PROJECT, { phone: '+4915112345678' }, id, originOf('link'));
  customerId = customer.id;
});
afterEach(() => world.close());

/** Books a visit so many hours from now, in some conversation. */
async function visit(hours: number): Promise<void> {
  const startsAt = world.clock.now() + hours * HOUR;
  const nothing = { sessionId: null, customer: null, externalId: null, resourceId: null, location: null, notes: null };
  const times = { startsAt, endsAt: startsAt + HOUR, timeZone: 'UTC' };
  const input = { ...nothing, ...times, customerId, service: `${hours}`, reason: null, metadata: '{}' };
  await world.booking.execute(new BookAppointment(world.context(), { ...input, as: { status: 'pending' } }, `conv_${hours}`));
}

/** Records the pages of rows that are read from now on; the first one waits for `goOn`. */
function pagesBegun({ firstWaits = false } = {}) {
  const begun: { projectId: string; whose: unknown }[] = [];
  const { readModels } = world.ports;
  const page = readModels.page.bind(readModels);
  let goOn = () => {};
  const first = new Promise<void>((resolve) => (goOn = resolve));
  readModels.page = async (collection, query) => {
    const [[whose] = []] = query.filter as readonly (readonly { readonly value: unknown }[])[];
    begun.push({ projectId: query.projectId, whose: whose?.value });
    if (firstWaits && begun.length === 1) await first;
    return page(collection, query);
  };
  /** Waits until all callers have come equally far. */
  const firstBegun = async () => {
    while (begun.length === 0) await settle();
    for (let n = 0; n < 5; n++) await settle();
  };
  return { begun, firstBegun, goOn: () => goOn(), ofWhom: () => begun.map(({ whose }) => whose) };
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

  it('are read in parts, others in between, and those of one project one customer after the other', async () => {
    for (let hours = 1; hours <= 510; hours++) await visit(hours);
    const { begun } = pagesBegun();
    const ask = (projectId: string, whose = customerId) => known.appointmentsOf(projectId, whose, 'msg_of_now');
    const all = Promise.all([ask(LEDGER_PROJECT), ask(LEDGER_PROJECT, 'cus_other'), ask('prj_other')]);
    expect(await turnsDuring(all)).toBeGreaterThanOrEqual(4);
    const here = begun.filter(({ projectId }) => projectId === LEDGER_PROJECT).map(({ whose }) => whose);
    expect(here).toEqual([...Array<string>(4).fill(customerId), 'cus_other']);
    expect(begun.findIndex(({ projectId }) => projectId === 'prj_other')).toBeLessThan(4);
    expect((await all).map(({ length }) => length)).toEqual([510, 0, 0]);
  });

  it('are not looked through while their rows are projected anew and are not yet where the older ones were', async () => {
    await visit(1);
    await known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now');
    world = await world.restarted();
    const { schema } = appointmentsProjection;
    await world.ports.readModels.define({ ...schema, version: schema.version + 1 }, { log: world.ports.events });
    known = new KnownAppointments(world.ports.events, world.ports.readModels, world.fresh, world.clock);
    const context = { projectId: LEDGER_PROJECT, customerId, conversationId: 'conv_of_now' };
    const asked = [known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now'), known.within(context, () => false)];
    const [, ...answers] = await Promise.allSettled([world.clock.advance(2_000), ...asked]);
    for (const answer of answers) expect(answer).toMatchObject({ reason: { code: 'service_unavailable' } });
  });

  it('are told to be out of reach at once while no rows can be read', async () => {
    jest.spyOn(world.ports.readModels, 'reached').mockRejectedValue(new StoreUnavailable('the rows are out of reach'));
    const context = { projectId: LEDGER_PROJECT, customerId, conversationId: 'conv_of_now' };
    await expect(known.within(context, () => false)).rejects.toMatchObject({ code: 'service_unavailable' });
    jest.restoreAllMocks();
  });

  it('are looked through in bounded pages, however many they are', async () => {
    for (let hours = 1; hours <= 260; hours++) await visit(hours);
    const page = jest.spyOn(world.ports.readModels, 'page');
    await known.appointmentsOf(LEDGER_PROJECT, customerId, 'msg_of_now');
    expect(page.mock.calls.map(([, { limit }]) => limit)).toEqual([100, 250, 250]);
  });
});

describe('looking up appointments', () => {
  const remembering = (whose: string, leaving?: AbortSignal) =>
    known.appointmentsOf(LEDGER_PROJECT, whose, 'msg_of_now', leaving);
  const finding = (whose: string) =>
    known.within({ projectId: LEDGER_PROJECT, customerId: whose, conversationId: 'conv_of_now' }, () => false);

  it('is done once for turns of a customer that come while others are looked up, each of which is told its own', async () => {
    await visit(1);
    await remembering(customerId);
    const { firstBegun, goOn, ofWhom } = pagesBegun({ firstWaits: true });
    const together = ['cus_1', ...Array<string>(9).fill(customerId)].map((whose) => remembering(whose));
    await firstBegun();
    goOn();
    const [, one, other, ...told] = await Promise.all(together);
    expect([one, other, ...told].map((each) => each?.length)).toEqual(Array(9).fill(1));
    expect(ofWhom()).toEqual(['cus_1', customerId]);
    expect(one).not.toBe(other);
  });

  it('is not done for a turn that has given its memory up', async () => {
    const { firstBegun, goOn, ofWhom } = pagesBegun({ firstWaits: true });
    const leaving = new AbortController();
    const first = remembering('cus_1');
    const given = Promise.allSettled(['cus_2', 'cus_3'].map((whose) => remembering(whose, leaving.signal)));
    await firstBegun();
    leaving.abort();
    expect(await given).toMatchObject(Array(2).fill({ reason: { name: 'AbortError' } }));
    goOn();
    await Promise.all([first, remembering('cus_4')]);
    expect(ofWhom()).toEqual(['cus_1', 'cus_4']);
  });

  it('goes on no further once nobody waits for it', async () => {
    for (let hours = 1; hours <= 110; hours++) await visit(hours);
    const { firstBegun, goOn, ofWhom } = pagesBegun({ firstWaits: true });
    const leaving = new AbortController();
    const given = remembering(customerId, leaving.signal);
    await Promise.all([firstBegun().then(() => leaving.abort()), expect(given).rejects.toThrow()]);
    goOn();
    await remembering('cus_1');
    expect(ofWhom()).toEqual([customerId, 'cus_1']);
  });

  it('has a tool wait for the memory that is being looked up, not for those behind it', async () => {
    const { firstBegun, goOn, ofWhom } = pagesBegun({ firstWaits: true });
    const memories = ['cus_1', 'cus_2', 'cus_3'].map((whose) => remembering(whose));
    await firstBegun();
    const found = finding('cus_4');
    await firstBegun();
    goOn();
    await Promise.all([...memories, found]);
    expect(ofWhom()).toEqual(['cus_1', 'cus_4', 'cus_2', 'cus_3']);
  });
});
