import { beginningOf, wholeLog } from '@testing/cause-chain';
import { EventStore } from '@ports/event-store.port';
import { AdminWorld, PASSWORD } from './admin-world.js';

let world: AdminWorld;
beforeEach(async () => {
  world = await AdminWorld.open();
});
afterEach(() => world.close());

/** What is asked of the admin API has entries of its own. */
const log = async () => (await wholeLog(world.app.get(EventStore))).filter(({ stream }) => !stream.startsWith('audit-'));

describe('what an administrator causes', () => {
  it('names the request and a part of the session, which opens nothing', async () => {
    const { body, headers } = await world.admin('POST', '/projects', { name: 'Salon' });
    const created = (await log()).find(({ stream }) => stream === `project-${body.id}`);
    const requestId = headers['request-id'];
    expect(created?.metadata).toMatchObject({ $causationId: requestId, requestId, actor: { type: 'admin' } });
    const id = created?.metadata?.actor?.sessionId ?? '';
    expect(id).toBe((await world.admin('GET', '/session')).body.id);
    expect(world.token).not.toContain(id.slice(-16));
    const authorization = { authorization: `Bearer ${id}` };
    expect((await world.send('GET', '/session', undefined, authorization)).status).toBe(401);
  });

  it('has one actor in each session', async () => {
    const rename = (name: string) => world.admin('PATCH', `/projects/${world.projectId}`, { name });
    await rename('one');
    await rename('two');
    world.token = (await world.login(PASSWORD)).body.token;
    await rename('three');
    const renamed = (await log()).filter(({ event }) => event.type === 'ProjectUpdated');
    const [one, two, three] = renamed.map(({ metadata }) => metadata?.actor?.sessionId);
    expect(two).toBe(one);
    expect(three).not.toBe(one);
  });
});

describe('the first start', () => {
  it('is what all that it makes leads back to', async () => {
    const events = await log();
    expect(events.length).toBeGreaterThan(3);
    expect(new Set(events.map((event) => beginningOf(event, events)))).toEqual(new Set(['timer:first-start']));
  });
});
