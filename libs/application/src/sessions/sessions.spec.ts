import { StoreUnavailable } from '@ports/event-store.port';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { LEDGER_PROJECT, LedgerWorld, OTHER_PROJECT } from '@testing/ledger-world';
import { DeleteCustomer } from '../customers/customer.commands.js';
import { DeleteCustomerHandler } from '../customers/customer.handlers.js';
import {
  AddSessionTurn,
  CloseSession,
  GetSession,
  ListSessionTurns,
  OpenSession,
  type SessionInput,
} from './session.commands.js';
import { CloseSessionHandler, GetSessionHandler, OpenSessionHandler } from './session.handlers.js';
import { AddSessionTurnHandler, ListSessionTurnsHandler } from './session-turns.handlers.js';
import { SessionDirectory } from './session-directory.js';
import { SessionOpening } from './session-opening.js';
import { sessionsProjection, toSessionView } from './sessions.projection.js';
import { StaleSessionSweeper } from './stale-session.sweeper.js';

let world: LedgerWorld;
beforeEach(async () => {
  world = await LedgerWorld.create();
  await world.hosting({
    projections: [sessionsProjection],
    sweepers: [new StaleSessionSweeper(world.ports.readModels, world.sessions, world.clock)],
  });
});
afterEach(() => world.close());

const PHONE = '+4915112345678';
const FOUR_HOURS = 14_400_000;
const input: SessionInput = {
  externalId: 'CA9f',
  direction: 'inbound',
  from: '+4915112345678',
  to: '+4930123456',
  customer: null,
  conversationId: null,
  metadata: '{"b":1,"a":2}',
};
const end = { outcome: 'no_action', endReason: 'customer_hangup', endedAt: null, summary: null } as const;

function open(changes: Partial<SessionInput> = {}, context = world.context()) {
  const handler = new OpenSessionHandler(
    world.sessions,
    world.opening,
    world.streams,
    world.sessionViews,
    world.clock,
    world.ids,
  );
  return handler.execute(new OpenSession(context, { ...input, ...changes }));
}
function close(id: string, context = world.context()) {
  const handler = new CloseSessionHandler(world.sessions, world.streams, world.sessionViews, world.clock);
  return handler.execute(new CloseSession(context, id, end));
}
function say(id: string, content: string, context = world.context()) {
  const handler = new AddSessionTurnHandler(world.sessions, world.streams, world.ports.events, world.clock, world.ids);
  return handler.execute(new AddSessionTurn(context, id, 'user', content, null));
}
function get(id: string, projectId: string) {
  return new GetSessionHandler(world.sessions, world.sessionViews).execute(new GetSession(projectId, id));
}

describe('a call', () => {
  it('is opened once while it is open, and anew after it was closed', async () => {
    const first = await open();
    expect(first.session).toMatchObject({ status: 'open', externalId: 'CA9f', metadata: input.metadata, appointmentIds: [] });
    expect(await open()).toEqual({ session: first.session, created: false });
    await close(first.session.id);
    const second = await open();
    expect(second.created).toBe(true);
    expect(second.session.id).not.toBe(first.session.id);
  });
  it('is opened once by many at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 10 }, () => open()));
    expect(new Set(opened.map(({ session }) => session.id)).size).toBe(1);
    expect(opened.filter(({ created }) => created)).toHaveLength(1);
  });
  it('that was closed and succeeded by another is still the one its request opened, when that runs again', async () => {
    const first = await open({}, world.context('key'));
    await close(first.session.id);
    await open();
    const again = await open({}, world.context('key', true));
    expect(again).toMatchObject({ created: true, session: { id: first.session.id, status: 'closed' } });
  });
  it('makes no other customer and shows its appointments when the request that opened it runs again', async () => {
    const { customer } = await world.customers.link(
      LEDGER_PROJECT,
      { phone: PHONE },
      world.ids.next('customer'),
      originOf('links'),
    );
    const { session } = await open({ customer: { phone: PHONE } }, world.context('key'));
    const { appointment } = await world.book({ sessionId: session.id });
    const deleting = new DeleteCustomerHandler(world.customers, world.streams, world.clock);
    await deleting.execute(new DeleteCustomer(world.context(), customer.id));
    const head = await world.ports.events.head();
    const again = await open({ customer: { phone: PHONE } }, world.context('key', true));
    expect(again.session).toMatchObject({ id: session.id, customerId: customer.id, appointmentIds: [appointment.id] });
    expect(await world.ports.events.head()).toBe(head);
  });
  it('is out of reach while the rows that know its appointments are projected anew, and can be closed all the same', async () => {
    const { session } = await open();
    const { appointment } = await world.book({ sessionId: session.id });
    expect(await get(session.id, LEDGER_PROJECT)).toMatchObject({ appointmentIds: [appointment.id] });
    world = await world.restarted();
    const { schema } = sessionsProjection;
    const raised = { ...sessionsProjection, schema: { ...schema, version: schema.version + 1 } };
    await world.ports.readModels.define(raised.schema, { log: world.ports.events });
    const answers = Promise.allSettled([get(session.id, LEDGER_PROJECT), close(session.id)]);
    await world.clock.advance(2_000);
    expect(await answers).toMatchObject([{ reason: { code: 'service_unavailable' } }, { value: { status: 'closed' } }]);
    await world.hosting({ projections: [raised] });
    expect(await get(session.id, LEDGER_PROJECT)).toMatchObject({ status: 'closed', appointmentIds: [appointment.id] });
  });
  it('is opened, closed and shown without its appointments while no rows can be read', async () => {
    const { session } = await open();
    await world.book({ sessionId: session.id });
    for (const method of ['reached', 'getMany'] as const)
      jest.spyOn(world.ports.readModels, method).mockRejectedValue(new StoreUnavailable('the rows are out of reach'));
    expect((await open()).session.id).toBe(session.id);
    expect(await close(session.id)).toMatchObject({ status: 'closed' });
    expect(await get(session.id, LEDGER_PROJECT)).toMatchObject({ status: 'closed', appointmentIds: [] });
    jest.restoreAllMocks();
  });
  it('nobody closed makes room for the next while no rows can be read, and lasted until its own last event', async () => {
    const { session } = await open();
    await world.clock.advance(60_000);
    await say(session.id, 'Hello?');
    await world.clock.advance(60_000);
    await world.book({ sessionId: session.id });
    world.clock.set(world.clock.now() + FOUR_HOURS);
    for (const method of ['reached', 'getMany'] as const)
      jest.spyOn(world.ports.readModels, method).mockRejectedValue(new StoreUnavailable('the rows are out of reach'));
    const next = await open();
    expect([next.created, next.session.id === session.id]).toEqual([true, false]);
    expect(await get(session.id, LEDGER_PROJECT)).toMatchObject({ status: 'closed', endReason: 'stale', durationSeconds: 60 });
    jest.restoreAllMocks();
  });
  it('without an external id is always a new one', async () => {
    const [one, two] = [await open({ externalId: null }), await open({ externalId: null })];
    expect(one.session.id).not.toBe(two.session.id);
  });
  it('links the customer it names, and guesses none', async () => {
    expect((await open()).session.customerId).toBeNull();
    const { session } = await open({ externalId: 'other', customer: { phone: '+4915112345678' } });
    expect(session.customerId).toMatch(/^cust_/);
  });
  it('names only conversations of its own project', async () => {
    const missing = { code: 'resource_missing', details: { param: 'conversation_id' } };
    await expect(open({ conversationId: 'conv_x' })).rejects.toMatchObject(missing);
    await expect(open({ conversationId: world.ids.next('conversation') })).rejects.toMatchObject(missing);
  });
  it('closes once and says how long it was', async () => {
    const { session } = await open();
    await world.clock.advance(143_400);
    const closed = await close(session.id);
    expect(closed).toMatchObject({ status: 'closed', outcome: 'no_action', durationSeconds: 143 });
    expect(await close(session.id)).toEqual(closed);
    expect(await get(session.id, world.context().projectId)).toEqual(closed);
    const { items } = await world.list(sessionsProjection);
    expect(items.map(toSessionView)).toEqual([closed]);
  });
  it('is nobody else’s', async () => {
    const { session } = await open();
    await expect(get(session.id, OTHER_PROJECT)).rejects.toMatchObject({ code: 'resource_missing', details: { param: 'id' } });
  });
  it('nobody closed is closed after four hours of silence', async () => {
    const { session } = await open();
    await world.clock.advance(FOUR_HOURS + 120_000);
    const now = await get(session.id, world.context().projectId);
    expect(now).toMatchObject({ status: 'closed', endReason: 'stale', outcome: null, durationSeconds: 0 });
  });
  it('nobody closed makes room for the next under its external id when its four hours are over, swept or not', async () => {
    const { session } = await open();
    world.clock.set(world.clock.now() + FOUR_HOURS - 1);
    expect((await open()).session.id).toBe(session.id);
    world.clock.set(world.clock.now() + 1);
    const next = await open();
    expect([next.created, next.session.id === session.id]).toEqual([true, false]);
    expect(await get(session.id, world.context().projectId)).toMatchObject({ status: 'closed', endReason: 'stale' });
  });
  it('is not over by a clock that is ahead and not believed', async () => {
    const { session } = await open();
    const believed = world.clock.now();
    const { streams, claims, customers, ports, clock, ids } = world;
    const sessions = new SessionDirectory(streams, ports.readModels, { now: () => believed });
    const opening = new SessionOpening(sessions, streams, claims, customers, clock, ids);
    clock.set(believed + 60 * 24 * 3_600_000);
    expect(
      (await opening.open({ ...input, sessionId: 'sess_2', projectId: LEDGER_PROJECT, at: clock.now() }, originOf('again'))).id,
    ).toBe(session.id);
    expect(sessions.isLive(await sessions.load(LEDGER_PROJECT, session.id))).toBe(true);
    await sessions.closeStale(session.id, ENVELOPE);
    expect((await sessions.peek(session.id))?.status).toBe('open');
  });
  it('nobody closed lasted until the last appointment was made on it, which is there in its list too', async () => {
    const { session } = await open();
    await world.clock.advance(420_000);
    await world.book({ sessionId: session.id });
    await world.clock.advance(FOUR_HOURS);
    const now = await get(session.id, world.context().projectId);
    expect(now).toMatchObject({ status: 'closed', durationSeconds: 420, endedAt: now.startedAt + 420_000 });
    expect((await world.list(sessionsProjection)).items.map(toSessionView)).toEqual([now]);
  });
});

describe('what is said on a call', () => {
  const turns = async (id: string) => {
    const handler = new ListSessionTurnsHandler(world.sessions, world.ports.events, world.lists);
    const page = { limit: 2, order: 'asc', startingAfter: null, endingBefore: null } as const;
    const first = await handler.execute(new ListSessionTurns(world.context().projectId, id, page));
    const rest = await handler.execute(
      new ListSessionTurns(world.context().projectId, id, { ...page, startingAfter: first.nextCursor }),
    );
    return [...first.items, ...rest.items].map(({ content }) => content);
  };

  it('is read back oldest first, page by page', async () => {
    const { session } = await open();
    for (const word of ['one', 'two', 'three']) await say(session.id, word);
    expect(await turns(session.id)).toEqual(['one', 'two', 'three']);
  });
  it('is read no further than the page goes', async () => {
    const { session } = await open();
    for (let count = 1; count <= 250; count += 1) await say(session.id, `turn ${count}`);
    let found = 0;
    const { events } = world.ports;
    const read = events.read.bind(events);
    events.read = async (stream, options) => {
      const records = await read(stream, options);
      found += records.length;
      return records as never;
    };
    const page = { limit: 2, order: 'desc', startingAfter: null, endingBefore: null } as const;
    const handler = new ListSessionTurnsHandler(world.sessions, events, world.lists);
    const { items, hasMore } = await handler.execute(new ListSessionTurns(world.context().projectId, session.id, page));
    expect([items.map(({ content }) => content), hasMore]).toEqual([['turn 250', 'turn 249'], true]);
    expect(found).toBeLessThan(250);
  });
  it('is looked through for its project, whose walks are one at a time', async () => {
    const { session } = await open();
    const pages = jest.spyOn(world.lists, 'page');
    await turns(session.id);
    expect(pages.mock.calls.map(([{ walkedBy }]) => walkedBy)).toEqual([LEDGER_PROJECT, LEDGER_PROJECT]);
  });
  it('is kept once under one request, also when the call was closed since', async () => {
    const { session } = await open();
    const first = await say(session.id, 'one', world.context('key'));
    await close(session.id);
    expect(await say(session.id, 'one', world.context('key', true))).toEqual(first);
    await expect(say(session.id, 'two')).rejects.toMatchObject({ code: 'session_closed' });
  });
  it('is kept once under one request, however much was said since', async () => {
    const { session } = await open();
    const first = await say(session.id, 'one', world.context('key'));
    for (let turn = 0; turn < 100; turn++) await say(session.id, 'and on');
    const head = await world.ports.events.head();
    expect(await say(session.id, 'one', world.context('key', true))).toEqual(first);
    expect(await world.ports.events.head()).toBe(head);
  });
});
