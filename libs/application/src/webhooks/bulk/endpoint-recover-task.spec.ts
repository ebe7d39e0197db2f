import { DeliveryWorld } from '@testing/delivery-world';
import { EndpointWorkWorld } from '@testing/endpoint-work';
import { answered, timedOut } from '@testing/fake-sender';
import { LEDGER_PROJECT } from '@testing/ledger-world';
import type { RecoverParameters } from './endpoint-parameters.js';

const EPOCH = '1970-01-01T00:00:00.000Z';

let world: DeliveryWorld;
let work: EndpointWorkWorld;
beforeEach(async () => {
  world = await DeliveryWorld.withTasks();
  work = new EndpointWorkWorld(world, (await world.register()).endpoint.id);
});
afterEach(() => world.close());

const fails = () => (world.sender.answer = () => answered(404));
const works = () => (world.sender.answer = () => answered(200));
const recover = (parameters: Partial<RecoverParameters> = {}) =>
  work.done({
    kind: 'endpoint.recover',
    parameters: { since: EPOCH, mode: 'all', per_second: 500, dry_run: false, ...parameters },
  });

describe('a task that recovers an endpoint', () => {
  it('replays what failed, and what was cancelled since the endpoint was disabled, and nothing else', async () => {
    fails();
    const [failed] = await work.emit(1);
    world.sender.answer = () => timedOut(0);
    const [cut, given] = await work.emit(2);
    const { id } = (await world.deliveries(given!))[0]!;
    const cancel = { type: 'CancelOnRequest', at: world.ledger.clock.now(), deliveryId: id } as const;
    await world.streams.run(given!, cancel, world.ledger.context());
    await work.change({ status: 'disabled' });
    await work.change({ status: 'enabled' });
    works();
    const before = world.sender.sent.length;
    const task = await recover();
    expect(task.progress).toMatchObject({ total: 2, matched: 2, created: 2, skipped: { recovered: 0 } });
    expect(work.sentSince(before)).toEqual([failed, cut]);
    const [original, fresh] = await world.deliveries(cut!);
    expect(original).toMatchObject({ status: 'cancelled', cancelReason: 'endpoint_disabled' });
    expect(fresh).toMatchObject({ status: 'succeeded', trigger: 'bulk_replay', replayOf: original!.id });
    expect((await recover()).progress).toMatchObject({ matched: 2, created: 0, skipped: { recovered: 2 } });
  });

  it('is about the events of its time, however late their deliveries were made', async () => {
    fails();
    const [early] = await work.emit(1);
    const since = work.now();
    const [wanted] = await work.emit(1);
    const until = work.now();
    await work.emit(1);
    await world.replay(early!, (await world.deliveries(early!))[0]!.id);
    await world.quiet();
    works();
    const before = world.sender.sent.length;
    expect((await recover({ since, until })).progress).toMatchObject({ matched: 1, created: 1 });
    expect(work.sentSince(before)).toEqual([wanted]);
  });

  it('tells in a dry run what the real one would do', async () => {
    fails();
    await work.emit(2);
    works();
    const { progress } = await recover({ dry_run: true });
    expect(progress).toMatchObject({ matched: 2, created: 0, details: { would_create: 2, events: 2 } });
  });
});

describe('a request for a task about an endpoint', () => {
  it('is refused while the endpoint is disabled, and where it is unknown', async () => {
    await work.change({ status: 'disabled' });
    await expect(recover()).rejects.toMatchObject({ code: 'webhook_endpoint_disabled' });
    const other = new EndpointWorkWorld(world, world.ledger.ids.next('endpoint'));
    const parameters = { since: EPOCH, per_second: 50, dry_run: true };
    const open = other.done({ kind: 'endpoint.reconcile', parameters, received: [] });
    await expect(open).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('finds the task of its first execution, whatever the endpoint is by then', async () => {
    const context = world.ledger.context();
    const parameters = { since: EPOCH, mode: 'all', per_second: 50, dry_run: false } as const;
    const open = (isRetry: boolean) =>
      world.bulk.open(work.endpointId, { kind: 'endpoint.recover', parameters }, { ...context, isRetry });
    const { id } = await open(false);
    await work.change({ status: 'disabled' });
    expect((await open(true)).id).toBe(id);
  });

  it('shows of a list of ids its number, and a minute ago as the end', async () => {
    const parameters = { since: EPOCH, per_second: 50, dry_run: false };
    const received = [world.ledger.ids.next('event')];
    const task = await world.bulk.open(work.endpointId, { kind: 'endpoint.reconcile', parameters, received });
    const until = new Date(world.ledger.clock.now() - 60_000).toISOString();
    expect(task.parameters).toEqual({ since: EPOCH, until, received: 1, per_second: 50, dry_run: false });
    await world.elapse(1_000, 250);
    const [row] = await world.ledger.ports.readModels.getMany('tasks', [task.id]);
    expect([row?.projectId, JSON.stringify(row)]).toEqual([LEDGER_PROJECT, expect.not.stringContaining(received[0]!)]);
  });
});
