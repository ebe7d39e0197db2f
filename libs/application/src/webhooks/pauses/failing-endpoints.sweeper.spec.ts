import type { Settings } from '@ports/settings.port';
import { originOf } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { answered } from '@testing/fake-sender';
import { instancesOn } from '@testing/instances-on';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import { TestEndpoint } from '../delivery.commands.js';
import { TestEndpointHandler } from '../test-endpoint.handler.js';
import { FailingEndpointsSweeper } from './failing-endpoints.sweeper.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let world: DeliveryWorld;
let endpointId: string;
let count: number;
afterEach(() => world.close());

async function begin(settings: Partial<Settings> = {}): Promise<void> {
  count = 0;
  world = await DeliveryWorld.create(settings);
  endpointId = (await world.register()).endpoint.id;
  world.sender.answer = () => answered(404);
}

/** Each fails for good at once while the receiver answers 404. */
async function emit(times = 1): Promise<void> {
  for (let emitted = 0; emitted < times; emitted++) await world.emit(NINE_ON_MONDAY + count++ * HALF_HOUR);
  await world.elapse(1_000);
}

async function passed(ms: number): Promise<void> {
  world.ledger.clock.elapse(ms);
  await world.quiet();
}

async function test(): Promise<void> {
  const { directory, streams, scheduling, ledger } = world;
  const handler = new TestEndpointHandler(directory, streams, scheduling, ledger.clock, ledger.ids);
  await handler.execute(new TestEndpoint(ledger.context(), endpointId, 'appointment.created', {}));
  await world.elapse(1_000);
}

function change(command: object): Promise<unknown> {
  const commandId = `change ${++count}`;
  const about = { at: world.ledger.clock.now(), endpointId, commandId };
  return world.directory.run(LEDGER_PROJECT, { ...about, ...command } as never, originOf(commandId));
}

async function swept(sweeper = world.failing) {
  await world.ledger.sweep(sweeper);
  const endpoint = await world.directory.newest(LEDGER_PROJECT, endpointId);
  return endpoint && [endpoint.status, endpoint.pausedReason];
}

const ENABLED = ['enabled', null];
const PAUSED = ['paused', 'auto_failing'];

describe('an endpoint that has failed for five days', () => {
  beforeEach(() => begin());

  it('is paused once five deliveries have failed for good since', async () => {
    await emit(4);
    await passed(5 * DAY);
    expect(await swept()).toEqual(ENABLED);
    await emit();
    expect(await swept()).toEqual(PAUSED);
    expect(await swept()).toEqual(PAUSED);
  });

  it('is paused then and not before, without a further failure', async () => {
    await emit(5);
    await passed(5 * DAY - HOUR);
    expect(await swept()).toEqual(ENABLED);
    await passed(HOUR);
    expect(await swept()).toEqual(PAUSED);
  });

  it('is not paused after a success', async () => {
    await emit(5);
    world.sender.answer = () => answered(200);
    await emit();
    await passed(6 * DAY);
    expect(await swept()).toEqual(ENABLED);
  });

  it('is not paused for tests that failed, nor well by one that succeeded', async () => {
    for (let times = 0; times < 6; times++) await test();
    await passed(6 * DAY);
    expect(await swept()).toEqual(ENABLED);
    await emit(5);
    world.sender.answer = () => answered(200);
    await test();
    await passed(6 * DAY);
    expect(await swept()).toEqual(PAUSED);
  });

  it('is paused again after its resumption only when it has failed for as long and as often since', async () => {
    await emit(5);
    await passed(5 * DAY);
    expect(await swept()).toEqual(PAUSED);
    await change({ type: 'ResumeEndpoint' });
    expect(await swept()).toEqual(ENABLED);
    await emit(4);
    await passed(5 * DAY);
    expect(await swept()).toEqual(ENABLED);
    await emit();
    expect(await swept()).toEqual(PAUSED);
  });

  it('stays as it is where it is paused by a request, disabled or deleted', async () => {
    await emit(5);
    await passed(5 * DAY);
    await change({ type: 'PauseEndpoint', reason: 'user' });
    expect(await swept()).toEqual(['paused', 'user']);
    await change({ type: 'UpdateEndpoint', changes: { status: 'disabled' } });
    expect(await swept()).toEqual(['disabled', null]);
    await change({ type: 'DeleteEndpoint' });
    expect(await swept()).toBeNull();
  });

  it('is found among others that stay disabled', async () => {
    const ids = [];
    for (let others = 0; others < 49; others++)
      ids.push((await world.register({ url: `https://${others}.example` })).endpoint.id);
    await emit(5);
    for (const id of ids) await change({ type: 'UpdateEndpoint', endpointId: id, changes: { status: 'disabled' } });
    await passed(5 * DAY);
    expect(await swept()).toEqual(PAUSED);
  });

  it('is not paused beside a process of an older release, which would go on sending', async () => {
    const { ports, clock, ids } = world.ledger;
    const records = new FakeExpiringRecords(clock);
    const older = instancesOn(records, clock, 'several', 'delivery', '0.9.0');
    await older.onModuleInit();
    const instances = instancesOn(records, clock, 'several', 'projections', '1.0.0');
    const sweeper = new FailingEndpointsSweeper(ports.readModels, world.directory, instances, world.settings, clock, ids);
    await emit(5);
    await passed(5 * DAY);
    expect(await swept(sweeper)).toEqual(ENABLED);
    await older.onApplicationShutdown();
    expect(await swept(sweeper)).toEqual(PAUSED);
  });
});

describe('no endpoint is paused for failing', () => {
  it.each<[string, Partial<Settings>]>([
    ['where that is off', { webhookAutoPauseAfterMs: null }],
    ['while deliveries are on hold', { webhookDelivery: 'hold' }],
  ])('%s', async (_, settings) => {
    await begin();
    await emit(5);
    world = await (await world.killed(settings)).working();
    await passed(100 * DAY);
    expect(await swept()).toEqual(ENABLED);
  });
});
