import { DeliveryWorld } from '@testing/delivery-world';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import { OTHER_PROJECT } from '@testing/ledger-world';
import type { InstanceRegistry } from '../../instances/instance-registry.js';
import { PauseEndpointHandler, ResumeEndpointHandler } from './endpoint-pause.handlers.js';
import { PauseEndpoint, ResumeEndpoint } from './endpoint.commands.js';

let world: DeliveryWorld;
let records: FakeExpiringRecords;
let instances: InstanceRegistry;
let id: string;
beforeEach(async () => {
  world = await DeliveryWorld.create();
  records = new FakeExpiringRecords(world.ledger.clock);
  instances = instancesOn(records, world.ledger.clock, 'several', 'gateway', '1.2.0');
  await instances.onModuleInit();
  id = (await world.register()).endpoint.id;
});
afterEach(async () => {
  await instances.onApplicationShutdown();
  await world.close();
});

const pause = (context = world.ledger.context()) =>
  new PauseEndpointHandler(world.directory, world.views, instances).execute(new PauseEndpoint(context, id));
const resume = (context = world.ledger.context()) =>
  new ResumeEndpointHandler(world.directory, world.views).execute(new ResumeEndpoint(context, id));

describe('a request that pauses or resumes an endpoint', () => {
  it('answers with the endpoint', async () => {
    const pausedAt = world.ledger.clock.now();
    expect(await pause()).toMatchObject({ id, status: 'paused', pausedAt, pausedReason: 'user', updatedAt: pausedAt });
    expect(await resume()).toMatchObject({ id, status: 'enabled', pausedAt: null, pausedReason: null });
  });

  it('does nothing when it runs again after the opposite, however long ago its first execution was', async () => {
    await pause(world.ledger.context('pause'));
    await resume(world.ledger.context('resume'));
    expect(await pause(world.ledger.context('pause', true))).toMatchObject({ status: 'enabled' });
    for (let times = 0; times < 30; times++) await (times % 2 === 0 ? pause() : resume());
    expect(await pause(world.ledger.context('pause', true))).toMatchObject({ status: 'enabled' });
    await pause();
    expect(await resume(world.ledger.context('resume', true))).toMatchObject({ status: 'paused' });
  });

  it('is carried out when it runs again and did nothing before', async () =>
    expect(await pause(world.ledger.context('pause', true))).toMatchObject({ status: 'paused' }));

  it('answers with the endpoint where it was disabled since its first execution', async () => {
    await pause(world.ledger.context('pause'));
    const change = { type: 'UpdateEndpoint', endpointId: id, commandId: 'off', changes: { status: 'disabled' } } as const;
    const context = world.ledger.context();
    await world.directory.run(context.projectId, (at) => ({ at, ...change }), context);
    expect(await pause(world.ledger.context('pause', true))).toMatchObject({ status: 'disabled', pausedAt: null });
    await expect(pause()).rejects.toMatchObject({ code: 'webhook_endpoint_disabled' });
  });

  it('does not find one of another project', async () => {
    const context = world.ledger.context(null, false, OTHER_PROJECT);
    for (const request of [pause, resume]) await expect(request(context)).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('is refused while a process of an older release lives, if it pauses', async () => {
    const older = instancesOn(records, world.ledger.clock, 'several', 'delivery', '1.1.0');
    await older.onModuleInit();
    await expect(pause()).rejects.toMatchObject({ code: 'service_unavailable', details: { retryAfter: 10 } });
    expect(await resume()).toMatchObject({ status: 'enabled' });
    await older.onApplicationShutdown();
    expect(await pause()).toMatchObject({ status: 'paused' });
  });
});
