import type { Task } from '@domain/task/task';
import { DeliveryWorld } from '@testing/delivery-world';
import { EndpointWorkWorld } from '@testing/endpoint-work';
import { timedOut } from '@testing/fake-sender';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import type { ReconcileParameters } from './endpoint-parameters.js';

const EPOCH = '1970-01-01T00:00:00.000Z';

let world: DeliveryWorld;
let work: EndpointWorkWorld;
beforeEach(async () => {
  world = await DeliveryWorld.withTasks();
});
afterEach(() => world.close());

const register = async (filters: readonly string[] = []) =>
  (work = new EndpointWorkWorld(world, (await world.register({ filters })).endpoint.id));
const reconcile = (received: Iterable<string>, parameters: Partial<ReconcileParameters> = {}) => {
  const all = { since: EPOCH, until: work.now(), per_second: 500, dry_run: false, ...parameters };
  return work.done({ kind: 'endpoint.reconcile', parameters: all, received: [...received] });
};
const told = ({ progress }: Task) => ({ created: progress?.created, total: progress?.total, ...progress?.details });
const nobody = { count: 0, ids: [] };

describe('a task that reconciles an endpoint', () => {
  it('sends what its owner has lost, and what it was to get while it was disabled, and finds none afterwards', async () => {
    await register();
    const [kept, lost] = await work.emit(2);
    await work.change({ status: 'disabled' });
    const [dark] = await work.emit(1);
    await work.change({ status: 'enabled' });
    const before = world.sender.sent.length;
    expect(told(await reconcile([kept!]))).toEqual({ created: 2, total: 2, expected: 3, missing: 2, unknown: nobody });
    expect(work.sentSince(before)).toEqual([lost, dark]);
    const [original, fresh] = await world.deliveries(lost!);
    expect([original, fresh]).toMatchObject([{ status: 'succeeded' }, { trigger: 'bulk_replay', replayOf: original!.id }]);
    expect(told(await reconcile([kept!, lost!, dark!]))).toMatchObject({ created: 0, expected: 3, missing: 0 });
  });

  it('does not miss what is on its way, nor what waits while the endpoint is paused', async () => {
    await register();
    world.sender.answer = () => timedOut(0);
    await work.emit(1);
    expect(told(await reconcile([]))).toMatchObject({ created: 0, expected: 1, missing: 0 });
    const pause = { type: 'PauseEndpoint', at: world.ledger.clock.now(), endpointId: work.endpointId } as const;
    const context = world.ledger.context();
    await world.directory.run(LEDGER_PROJECT, { ...pause, reason: 'user', commandId: context.commandId }, context);
    await world.quiet();
    await work.emit(1);
    expect(told(await reconcile([]))).toMatchObject({ created: 0, expected: 2, missing: 0 });
  });

  it('names what its owner has of that time and was never to get, and passes over other times', async () => {
    const early = await new EndpointWorkWorld(world, '').emit(1);
    await register(['appointment.created']);
    const [old] = await work.emit(1);
    const since = work.now();
    const { appointment } = await world.ledger.book({ startsAt: NINE_ON_MONDAY + 100_000 * HALF_HOUR });
    await world.elapse(1);
    await world.ledger.change(appointment.id, { type: 'ConfirmAppointment' });
    await world.elapse(1);
    const until = work.now();
    const [late] = await work.emit(1);
    const [created, confirmed] = (await world.events()).items.slice(2, 4).map(({ id }) => id);
    const made = world.ledger.ids.next('event');
    const task = await reconcile([...early, old!, created!, created!, confirmed!, late!, made], { since, until });
    expect(told(task)).toMatchObject({ created: 0, expected: 1, missing: 0, unknown: { count: 1, ids: [confirmed] } });
    const { progress } = await reconcile([...early, old!, created!, late!]);
    expect(progress?.details).toMatchObject({ expected: 3, missing: 0, unknown: { count: 1, ids: early } });
  });

  it('names at most twenty of the unknown', async () => {
    await register();
    const made = Array.from({ length: 30 }, () => world.ledger.ids.next('event'));
    await world.elapse(1);
    const { unknown } = told(await reconcile(made)) as { unknown?: { count: number; ids: string[] } };
    expect([unknown?.count, unknown?.ids]).toEqual([30, made.slice(0, 20)]);
  });

  it('tells in a dry run what is missing, and sends nothing', async () => {
    await register();
    const eventIds = await work.emit(2);
    const before = world.sender.sent.length;
    const task = await reconcile([eventIds[0]!], { dry_run: true });
    expect(told(task)).toMatchObject({ created: 0, would_create: 1, expected: 2, missing: 1, unknown: nobody });
    expect(world.sender.sent).toHaveLength(before);
  });

  it('passes over events that have expired', async () => {
    await register();
    await work.emit(1);
    world.ledger.clock.set(world.ledger.clock.now() + 30 * 86_400_000 + 1);
    expect(told(await reconcile([]))).toMatchObject({ expected: 0, missing: 0 });
  });
});
