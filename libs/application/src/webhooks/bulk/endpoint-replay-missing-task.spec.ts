import { DeliveryWorld } from '@testing/delivery-world';
import { EndpointWorkWorld } from '@testing/endpoint-work';
import { answered } from '@testing/fake-sender';
import { LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import type { ReplayMissingParameters } from './endpoint-parameters.js';

const EPOCH = '1970-01-01T00:00:00.000Z';
const LATER = NINE_ON_MONDAY + 900 * 86_400_000;

let world: DeliveryWorld;
let work: EndpointWorkWorld;
beforeEach(async () => {
  world = await DeliveryWorld.withTasks();
});
afterEach(() => world.close());

const register = async (filters: readonly string[] = []) =>
  (work = new EndpointWorkWorld(world, (await world.register({ filters })).endpoint.id));
const replayMissing = (parameters: Partial<ReplayMissingParameters> = {}) =>
  work.done({
    kind: 'endpoint.replay_missing',
    parameters: { since: EPOCH, mode: 'all', per_second: 500, dry_run: false, ...parameters },
  });

describe('a task that replays what an endpoint has missed', () => {
  it('sends events of before its registration and of its disabled time, once, and none that it has a delivery of', async () => {
    const early = await new EndpointWorkWorld(world, '').emit(1);
    await register();
    world.sender.answer = () => answered(404);
    await work.emit(1);
    world.sender.answer = () => answered(200);
    await work.change({ status: 'disabled' });
    const dark = await work.emit(2);
    await work.change({ status: 'enabled' });
    await work.emit(1);
    const before = world.sender.sent.length;
    const task = await replayMissing();
    expect(task.progress).toMatchObject({ total: 3, examined: 3, matched: 3, created: 3 });
    expect(work.sentSince(before)).toEqual([...early, ...dark]);
    expect(await world.deliveries(dark[0]!)).toMatchObject([{ status: 'succeeded', trigger: 'bulk_replay', replayOf: null }]);
    expect((await replayMissing()).progress).toMatchObject({ matched: 0, created: 0 });
  });

  it('sends what passes its filters as they are now, of the types and the time that are asked for', async () => {
    await register(['appointment.confirmed']);
    const { appointment } = await world.ledger.book({ startsAt: LATER });
    await world.elapse(1);
    const since = work.now();
    const [second] = await work.emit(1);
    const until = work.now();
    await work.emit(1);
    await world.ledger.change(appointment.id, { type: 'ConfirmAppointment' });
    await world.quiet();
    await work.change({ filters: ['appointment.created', 'appointment.confirmed'] });
    const sample = async (parameters: Partial<ReplayMissingParameters>) =>
      (await replayMissing({ dry_run: true, ...parameters })).progress?.details['would_create'];
    expect(await sample({})).toBe(3);
    expect(await sample({ event_types: ['appointment.created'] })).toBe(3);
    expect(await sample({ event_types: ['appointment.confirmed'] })).toBe(0);
    expect(await sample({ event_types: ['appointment.rescheduled'] })).toBe(0);
    const before = world.sender.sent.length;
    expect((await replayMissing({ since, until })).progress).toMatchObject({ matched: 1, created: 1 });
    expect(work.sentSince(before)).toEqual([second]);
  });

  it('sends of each appointment only its newest event where that is asked for', async () => {
    await register();
    await work.change({ status: 'disabled' });
    const { appointment } = await world.ledger.book({ startsAt: LATER });
    const [other] = await work.emit(1);
    await world.ledger.change(appointment.id, { type: 'ConfirmAppointment' });
    await world.quiet();
    await work.change({ status: 'enabled' });
    const newest = (await world.events()).items.at(-1)!.id;
    const before = world.sender.sent.length;
    const task = await replayMissing({ mode: 'latest' });
    expect(task.progress).toMatchObject({ matched: 3, created: 2, skipped: { superseded: 1 } });
    expect(work.sentSince(before).toSorted()).toEqual([other, newest].toSorted());
  });

  it('leaves out what has reached the endpoint by a newer event, or expires', async () => {
    await register();
    await work.change({ status: 'disabled' });
    const { appointment } = await world.ledger.book({ startsAt: LATER });
    await world.quiet();
    await work.change({ status: 'enabled' });
    await world.ledger.change(appointment.id, { type: 'ConfirmAppointment' });
    await world.quiet();
    expect((await replayMissing({ mode: 'latest' })).progress).toMatchObject({ created: 0, skipped: { superseded: 1 } });
    world.ledger.clock.set(world.ledger.clock.now() + 30 * 86_400_000 + 1);
    expect((await replayMissing()).progress).toMatchObject({ matched: 1, created: 0, skipped: { event_expired: 1 } });
  });

  it('counts what an endpoint that was deleted meanwhile has missed, and only that, as unavailable', async () => {
    const [missed] = await new EndpointWorkWorld(world, '').emit(1);
    await register();
    await work.emit(1);
    const parameters = { since: EPOCH, mode: 'all', per_second: 500, dry_run: false } as const;
    const { id } = await world.bulk.open(work.endpointId, { kind: 'endpoint.replay_missing', parameters });
    const gone = { type: 'DeleteEndpoint', at: world.ledger.clock.now(), endpointId: work.endpointId } as const;
    await world.directory.run(LEDGER_PROJECT, gone, world.ledger.context());
    await world.elapse(2_000, 250);
    const { progress } = await world.bulk.tasks.load(LEDGER_PROJECT, id);
    expect(progress).toMatchObject({ matched: 1, created: 0, skipped: { endpoint_unavailable: 1 } });
    expect(await world.deliveries(missed!)).toEqual([]);
  });
});
