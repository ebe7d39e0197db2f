import { DeliveryWorld } from '@testing/delivery-world';
import { LEDGER_PROJECT, OTHER_PROJECT } from '@testing/ledger-world';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { EndpointInputs } from './endpoint-inputs.js';
import { endpointsStream } from './endpoint-directory.js';
import { GetEndpoint, UpdateEndpoint } from './endpoint.commands.js';
import { GetEndpointHandler, UpdateEndpointHandler } from './endpoint.handlers.js';

const TOKEN = 'Bearer tok-4711';
const NOBODY = { objection: () => null };

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

const update = (id: string, changes: UpdateEndpoint['changes']) =>
  new UpdateEndpointHandler(world.directory, new EndpointInputs(world.directory, world.headers, NOBODY), world.views).execute(
    new UpdateEndpoint(world.ledger.context(), id, changes),
  );
const get = (id: string) => new GetEndpointHandler(world.directory, world.views).execute(new GetEndpoint(LEDGER_PROJECT, id));
const stored = async () =>
  (await world.ledger.ports.events.read<EndpointEvent>(endpointsStream(LEDGER_PROJECT))).map(({ event }) => event);
/** The header of the last webhook. */
const sent = async (name: string) => {
  await world.emit();
  await world.quiet();
  return world.sender.sent.at(-1)?.headers[name];
};

describe('the custom headers of an endpoint', () => {
  it('are sent, masked where they are shown, and stored encrypted', async () => {
    const { endpoint } = await world.register({ headers: { Authorization: TOKEN, 'X-Env': 'prod' } });
    expect(endpoint.headers).toEqual({ Authorization: '********', 'X-Env': '********' });
    expect((await get(endpoint.id)).headers).toEqual(endpoint.headers);
    expect(await sent('Authorization')).toBe(TOKEN);
    expect(world.sender.sent.at(-1)?.confidential).toEqual([TOKEN, 'prod']);
    expect(JSON.stringify(await stored())).not.toMatch(/4711|prod"/);
  });

  it('are kept where a change sends them back masked, or as they are', async () => {
    const { endpoint } = await world.register({ headers: { Authorization: TOKEN, 'X-Env': 'prod' } });
    await update(endpoint.id, { headers: { Authorization: '********', 'X-Env': 'prod' } });
    expect(await stored()).toHaveLength(1);
    await update(endpoint.id, { headers: { authorization: '********', 'X-Env': 'dev' } });
    expect(await sent('authorization')).toBe(TOKEN);
    expect(world.sender.sent.at(-1)?.headers).toMatchObject({ 'X-Env': 'dev' });
    expect(world.sender.sent.at(-1)?.headers).not.toHaveProperty('Authorization');
  });

  it('are cleared by a move to another host, and not by one on the same', async () => {
    const { endpoint } = await world.register({ url: 'https://a.example/1', headers: { Authorization: TOKEN } });
    expect((await update(endpoint.id, { url: 'https://a.example/2' })).headers).toEqual({ Authorization: '********' });
    expect((await update(endpoint.id, { url: 'https://b.example/2' })).headers).toEqual({});
    expect(await sent('Authorization')).toBeUndefined();
  });

  it('cannot be the mask itself', async () => {
    const refused = { code: 'parameter_invalid', details: { param: 'headers' } };
    await expect(world.register({ headers: { 'X-Env': '********' } })).rejects.toMatchObject(refused);
    const { endpoint } = await world.register();
    await expect(update(endpoint.id, { headers: { 'X-Env': '********' } })).rejects.toMatchObject(refused);
    await expect(update(endpoint.id, { headers: { 'X-Env': 'a\r\nb' } })).rejects.toMatchObject(refused);
  });

  it('can be opened for no other endpoint, project or name', async () => {
    const owner = { projectId: LEDGER_PROJECT, id: 'we_1' };
    const sealed = world.headers.sealed(owner, { Authorization: TOKEN });
    const opened = (changes: object, sealedHeaders = sealed) =>
      world.headers.values({ ...owner, plainHeaders: {}, sealedHeaders, ...changes } as never);
    expect(opened({})).toEqual({ Authorization: TOKEN });
    expect(() => opened({ id: 'we_2' })).toThrow();
    expect(() => opened({ projectId: OTHER_PROJECT })).toThrow();
    expect(() => opened({}, { 'X-Env': sealed['Authorization'] ?? '' })).toThrow();
  });
});

describe('custom headers that an earlier version stored as they are', () => {
  const storePlain = async () => {
    const { endpoint } = await world.register();
    const event: EndpointEvent = {
      type: 'EndpointUpdated',
      at: world.ledger.clock.now(),
      endpointId: endpoint.id,
      changes: { headers: { Authorization: TOKEN } },
    };
    await world.ledger.ports.events.append(endpointsStream(LEDGER_PROJECT), [{ id: world.ledger.ids.uuid(), event }], 0);
    return endpoint;
  };

  it('are masked, sent, and sealed by an event of their own while the old one stays', async () => {
    const { id } = await storePlain();
    expect((await get(id)).headers).toEqual({ Authorization: '********' });
    await world.quiet();
    expect((await stored()).map(({ type }) => type)).toEqual(['EndpointRegistered', 'EndpointUpdated', 'EndpointHeadersSealed']);
    expect(JSON.stringify((await stored()).at(-1))).not.toContain('4711');
    expect(await sent('Authorization')).toBe(TOKEN);
    expect((await get(id)).headers).toEqual({ Authorization: '********' });
  });

  it('are kept by a change that comes before they are sealed', async () => {
    const { id } = await storePlain();
    await update(id, { headers: { Authorization: '********', 'X-Env': 'prod' } });
    expect(await sent('Authorization')).toBe(TOKEN);
    expect(JSON.stringify((await stored()).slice(2))).not.toContain('4711');
  });
});
