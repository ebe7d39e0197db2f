import { TestEndpoint } from '../delivery.commands.js';
import { ENVELOPE } from '@testing/envelopes';
import { DeliveryWorld, ENDPOINT_INPUT } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { LEDGER_PROJECT, OTHER_PROJECT } from '@testing/ledger-world';
import { TestEndpointHandler } from '../test-endpoint.handler.js';
import type { EmittedType } from '@domain/appointment/emission';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { StreamCache } from '../../streams/stream-cache.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import type { Endpoint } from '@domain/endpoint/endpoint';
import type { Ids } from '@ports/ids.port';
import { SigningSecrets } from './signing-secrets.js';
import { EndpointInputs } from './endpoint-inputs.js';
import { EndpointDirectory, endpointsStream } from './endpoint-directory.js';
import {
  DeleteEndpoint,
  GetEndpoint,
  ListEndpoints,
  RegisterEndpoint,
  RotateEndpointSecret,
  UpdateEndpoint,
} from './endpoint.commands.js';
import {
  DeleteEndpointHandler,
  GetEndpointHandler,
  ListEndpointsHandler,
  RegisterEndpointHandler,
  RotateEndpointSecretHandler,
  UpdateEndpointHandler,
} from './endpoint.handlers.js';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

const choosy = { objection: (url: string) => (url.includes('localhost') ? 'must not name a private host' : null) };
const choosyInputs = () => new EndpointInputs(world.directory, world.headers, choosy);
const DAY = 86_400_000;
function rotate(id: string, graceMs: number, context = world.ledger.context()) {
  const handler = new RotateEndpointSecretHandler(world.directory, world.signing, world.views);
  return handler.execute(new RotateEndpointSecret(context, id, graceMs));
}
function get(id: string, projectId = LEDGER_PROJECT) {
  return new GetEndpointHandler(world.directory, world.views).execute(new GetEndpoint(projectId, id));
}
function update(id: string, changes: UpdateEndpoint['changes'], context = world.ledger.context()) {
  const handler = new UpdateEndpointHandler(world.directory, choosyInputs(), world.views);
  return handler.execute(new UpdateEndpoint(context, id, changes));
}
function remove(id: string) {
  return new DeleteEndpointHandler(world.directory).execute(new DeleteEndpoint(world.ledger.context(), id));
}
function list(status: 'enabled' | null, startingAfter: string | null) {
  const { ports, lists } = world.ledger;
  const page = { limit: 2, order: 'desc', startingAfter, endingBefore: null } as const;
  const query = new ListEndpoints(LEDGER_PROJECT, status, page);
  return new ListEndpointsHandler(world.directory, ports.events, lists, world.views).execute(query);
}
function test(id: string, type: EmittedType, overrides = {}, context = world.ledger.context()) {
  const handler = new TestEndpointHandler(world.directory, world.streams, world.scheduling, world.ledger.clock, world.ledger.ids);
  return handler.execute(new TestEndpoint(context, id, type, overrides));
}
const signatures = () => world.sender.sent.map(({ headers }) => headers['Service-Signature']?.split(',').length);

describe('an endpoint', () => {
  it('is registered with a secret that is shown then and never again', async () => {
    const { endpoint, secret } = await world.register();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{48}$/);
    expect(endpoint).toMatchObject({ status: 'enabled', secretHint: `…${secret.slice(-5)}`, previousSecretExpiresAt: null });
    expect(JSON.stringify(await get(endpoint.id))).not.toContain(secret);
    const stored = await world.ledger.ports.events.read<EndpointEvent>(endpointsStream(LEDGER_PROJECT));
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
  });
  it('has the same secret when the same request runs again', async () => {
    const first = await world.register({}, world.ledger.context('key'));
    expect(await world.register({}, world.ledger.context('key', true))).toEqual(first);
    const rotated = await rotate(first.endpoint.id, DAY, world.ledger.context('turn'));
    expect(await rotate(first.endpoint.id, DAY, world.ledger.context('turn', true))).toEqual(rotated);
  });
  it('stays as another change has left it when the change before runs again', async () => {
    const { endpoint } = await world.register();
    await update(endpoint.id, { status: 'disabled' }, world.ledger.context('off'));
    await update(endpoint.id, { status: 'enabled' });
    expect(await update(endpoint.id, { status: 'disabled' }, world.ledger.context('off', true))).toMatchObject({
      status: 'enabled',
    });
  });
  it('counts the grace of its earlier secret from when the rotation is stored, however long it waited', async () => {
    const { endpoint } = await world.register();
    const { ports, clock, ids } = world.ledger;
    const cold = new EndpointDirectory(new StreamRunner(ports.events, new StreamCache(ports.events), clock, ids), clock);
    const read = ports.events.read.bind(ports.events);
    jest.spyOn(ports.events, 'read').mockImplementation(async (...asked) => {
      const found = await read(...asked);
      clock.set(clock.now() + 90);
      return found as never;
    });
    const handler = new RotateEndpointSecretHandler(cold, world.signing, world.views);
    const rotated = await handler.execute(new RotateEndpointSecret(world.ledger.context(), endpoint.id, DAY));
    const { secretRotatedAt, previousSecretExpiresAt } = rotated.endpoint;
    expect(previousSecretExpiresAt! - secretRotatedAt!).toBe(DAY);
    expect(secretRotatedAt).toBe(clock.now());
    jest.restoreAllMocks();
  });
  it('has its secret rotated once by a request that runs again after another rotation', async () => {
    const { endpoint } = await world.register();
    const { secret } = await rotate(endpoint.id, DAY, world.ledger.context('first'));
    const last = await rotate(endpoint.id, DAY);
    const again = await rotate(endpoint.id, DAY, world.ledger.context('first', true));
    expect([again.secret, again.endpoint.secretHint]).toEqual([secret, last.endpoint.secretHint]);
    await world.emit();
    await world.quiet();
    expect(signatures()).toEqual([4]);
    const stored = await world.ledger.ports.events.read<EndpointEvent>(endpointsStream(LEDGER_PROJECT));
    expect(stored.filter(({ event }) => event.type === 'EndpointSecretRotated')).toHaveLength(2);
  });
  it('is registered, changed and rotated by requests that run again when nothing came of them before', async () => {
    const other = await world.register();
    const { endpoint, secret } = await world.register({}, world.ledger.context('register', true));
    expect(endpoint.id).not.toBe(other.endpoint.id);
    expect(await update(endpoint.id, { status: 'disabled' }, world.ledger.context('off', true))).toMatchObject({
      status: 'disabled',
    });
    const rotated = await rotate(endpoint.id, DAY, world.ledger.context('rotate', true));
    expect([secret, other.secret]).not.toContain(rotated.secret);
    expect(await get(endpoint.id)).toMatchObject({ status: 'disabled', secretHint: rotated.endpoint.secretHint });
  });
  it('is registered with its first secret by a request that runs again after a rotation', async () => {
    const { endpoint, secret } = await world.register({}, world.ledger.context('key'));
    const rotated = await rotate(endpoint.id, DAY);
    const again = await world.register({}, world.ledger.context('key', true));
    expect(again).toEqual({ endpoint: rotated.endpoint, secret });
  });
  it('stays deleted when the request that registered it runs again', async () => {
    const { endpoint } = await world.register({}, world.ledger.context('key'));
    await remove(endpoint.id);
    await expect(world.register({}, world.ledger.context('key', true))).rejects.toMatchObject({ code: 'resource_missing' });
    expect((await list(null, null)).items).toEqual([]);
  });
  it('stays as many other changes have left it when the change before runs again', async () => {
    const { endpoint } = await world.register();
    await update(endpoint.id, { status: 'disabled' }, world.ledger.context('off'));
    for (let time = 0; time < 12; time++) await update(endpoint.id, { status: 'enabled', description: `${time}` });
    const again = await update(endpoint.id, { status: 'disabled' }, world.ledger.context('off', true));
    expect(again).toMatchObject({ status: 'enabled', description: '11' });
  });
  it('has its secret rotated once by a request that runs again after many other rotations', async () => {
    const { endpoint } = await world.register();
    const { secret } = await rotate(endpoint.id, DAY, world.ledger.context('first'));
    for (let time = 0; time < 25; time++) await rotate(endpoint.id, DAY);
    const present = await get(endpoint.id);
    expect(await rotate(endpoint.id, DAY, world.ledger.context('first', true))).toEqual({ endpoint: present, secret });
    expect(await get(endpoint.id)).toEqual(present);
  });
  it('is tested by a request that runs again when nothing came of it before', async () => {
    const { endpoint } = await world.register();
    const delivery = await test(endpoint.id, 'appointment.created', {}, world.ledger.context('key', true));
    await world.quiet();
    expect(world.sender.sent.map(({ headers }) => headers['Service-Delivery-Id'])).toEqual([delivery.id]);
  });
  it.each(['disabled', 'deleted'])('answers a test that runs again after it was %s with the delivery it made', async (how) => {
    const { endpoint } = await world.register();
    const { id } = await test(endpoint.id, 'appointment.created', {}, world.ledger.context('key'));
    await (how === 'deleted' ? remove(endpoint.id) : update(endpoint.id, { status: 'disabled' }));
    expect(await test(endpoint.id, 'appointment.created', {}, world.ledger.context('key', true))).toMatchObject({ id });
  });
  it('is refused at an address that webhooks must not reach', async () => {
    const { directory, signing, views, ledger } = world;
    const handler = new RegisterEndpointHandler(directory, choosyInputs(), signing, views, ledger.ids);
    const details = { ...ENDPOINT_INPUT, url: 'https://localhost' };
    const refused = { code: 'url_invalid', message: 'The URL must not name a private host.', details: { param: 'url' } };
    await expect(handler.execute(new RegisterEndpoint(world.ledger.context(), details))).rejects.toMatchObject(refused);
    const { endpoint } = await world.register();
    await expect(update(endpoint.id, { url: 'https://localhost' })).rejects.toMatchObject(refused);
  });
  it('is nobody else’s', async () => {
    const { endpoint } = await world.register();
    const missing = { code: 'resource_missing', details: { param: 'id' } };
    const foreign = world.ledger.context(null, false, OTHER_PROJECT);
    await expect(get(endpoint.id, OTHER_PROJECT)).rejects.toMatchObject(missing);
    await expect(update(endpoint.id, { url: 'https://localhost' }, foreign)).rejects.toMatchObject(missing);
    await expect(rotate(endpoint.id, 0, foreign)).rejects.toMatchObject(missing);
  });
  it('is gone once deleted', async () => {
    const { endpoint } = await world.register();
    expect(await remove(endpoint.id)).toEqual({ id: endpoint.id });
    await expect(get(endpoint.id)).rejects.toMatchObject({ code: 'resource_missing' });
  });
  it('is listed newest first, by status', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push((await world.register({ url: `https://${n}.example` })).endpoint.id);
    await update(ids[1] ?? '', { status: 'disabled' });
    const first = await list(null, null);
    expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]]);
    expect((await list(null, first.nextCursor)).items.map(({ id }) => id)).toEqual([ids[0]]);
    expect((await list('enabled', null)).items.map(({ id }) => id)).toEqual([ids[2], ids[0]]);
  });
  it('is looked for in a list for its project, whose walks are one at a time', async () => {
    const pages = jest.spyOn(world.ledger.lists, 'page');
    await list(null, null);
    expect(pages.mock.calls.map(([{ walkedBy }]) => walkedBy)).toEqual([LEDGER_PROJECT]);
  });
  it('keeps its place in lists when it is disabled or deleted between two pages', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) {
      const { id } = (await world.register({ url: `https://${n}.example` })).endpoint;
      for (const status of ['disabled', 'enabled'] as const) await update(id, { status });
      ids.push(id);
    }
    await update(ids[1] ?? '', { status: 'disabled' });
    expect((await list('enabled', ids[1] ?? '')).items.map(({ id }) => id)).toEqual([ids[0]]);
    await remove(ids[1] ?? '');
    expect((await list(null, ids[1] ?? '')).items.map(({ id }) => id)).toEqual([ids[0]]);
  });
});

describe('rotating a secret', () => {
  it('signs with both until the grace is over, and then with the new one', async () => {
    const { endpoint } = await world.register();
    const rotated = await rotate(endpoint.id, DAY);
    expect(rotated.endpoint.previousSecretExpiresAt).toBe(world.ledger.clock.now() + DAY);
    await world.ledger.book();
    await world.quiet();
    world.ledger.clock.set(world.ledger.clock.now() + DAY);
    await world.ledger.book({ startsAt: 5 });
    await world.quiet();
    expect(signatures()).toEqual([3, 2]);
    expect((await get(endpoint.id)).previousSecretExpiresAt).toBeNull();
  });
  it('without grace ends the old one at once', async () => {
    const { endpoint } = await world.register();
    await rotate(endpoint.id, DAY);
    await rotate(endpoint.id, 0);
    await world.ledger.book();
    await world.quiet();
    expect(signatures()).toEqual([2]);
  });
});

describe('a test event', () => {
  it('goes to its endpoint whatever the filters, says that it is a test, and stays out of the log', async () => {
    const { endpoint } = await world.register({ filters: ['nothing.at_all'] });
    await world.register({ url: 'https://b.example' });
    const delivery = await test(endpoint.id, 'appointment.confirmed', { service: 'massage' });
    expect(delivery).toMatchObject({ status: 'pending', trigger: 'test', eventType: 'appointment.confirmed' });
    await world.quiet();
    expect(world.sender.sent).toHaveLength(1);
    expect(JSON.parse(world.sender.sent[0]?.body ?? '')).toMatchObject({
      id: delivery.eventId,
      test: true,
      type: 'appointment.confirmed',
      data: { object: { object: 'appointment', status: 'confirmed', service: 'massage' } },
    });
    expect((await world.events()).items).toEqual([]);
    await expect(world.event(delivery.eventId)).rejects.toMatchObject({ code: 'resource_missing' });
    expect(await world.deliveries(delivery.eventId)).toMatchObject([{ id: delivery.id, status: 'succeeded' }]);
  });
  it('is refused for what is too large, or a disabled endpoint', async () => {
    const { endpoint } = await world.register();
    await expect(test(endpoint.id, 'appointment.created', { notes: 'x'.repeat(70_000) })).rejects.toMatchObject({
      code: 'parameter_too_long',
    });
    await update(endpoint.id, { status: 'disabled' });
    await expect(test(endpoint.id, 'appointment.created')).rejects.toMatchObject({ code: 'webhook_endpoint_disabled' });
  });
});

describe('retention', () => {
  it('drops the deliveries of events after 31 days, never unfinished ones', async () => {
    const { endpoint } = await world.register();
    const first = await world.emit();
    const tested = await test(endpoint.id, 'appointment.created');
    await world.quiet();
    world.sender.answer = () => answered(503);
    const unfinished = await world.emit(5);
    await world.quiet();
    const { clock } = world.ledger;
    clock.set(clock.now() + 31 * DAY);
    await clock.advance(1_000);
    await world.retention.sweep(clock.now(), new AbortController().signal, ENVELOPE);
    await world.quiet();
    expect(await world.streams.frozen(first)).toBeNull();
    expect(await world.streams.frozen(tested.eventId)).toBeNull();
    expect(await world.streams.frozen(unfinished)).not.toBeNull();
    await expect(world.event(first)).rejects.toMatchObject({ code: 'event_expired' });
    const [row] = await world.ledger.ports.readModels.getMany('events', [first]);
    expect(row).toMatchObject({ row: { retireAt: null } });
    expect(row).not.toHaveProperty('text');
  });
});

it('the secret of an endpoint that an earlier version registered is still its secret', () => {
  const signing = new SigningSecrets({} as Ids, new NodeCryptoSecrets(new Uint8Array(32).fill(7)));
  const sealed = 'AdnxAUP68NaFGbQyErfMpn9IC8nHRrQjQO51NU5Hxkr5Ur0ZSjF80-4';
  expect(signing.shown({ projectId: 'prj_1', id: 'we_1' } as Endpoint, sealed)).toBe('whsec_secret');
});
