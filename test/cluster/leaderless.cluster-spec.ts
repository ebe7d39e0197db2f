import { setTimeout as pause } from 'node:timers/promises';
import { App } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { echo, RecordingModel } from '../e2e/harness/recording-model.js';
import { holdsWithin } from './doubled-apps.js';
import { OwnEngines } from './own-engines.js';
import { SteadyLoad } from './steady-load.js';

/** Longer than the ten attempts after which the driver gives up to look for a leader. */
const LEADERLESS_MS = 6_000;
const BACK_WITHIN_MS = 5_000;

let engines: OwnEngines;
let installation: Installation;
let model: RecordingModel;
let gateways: readonly [App, App];
let apps: readonly App[];

beforeAll(async () => {
  engines = await OwnEngines.start({ nodes: 3 });
  installation = new Installation(engines.servers);
  model = await RecordingModel.start();
  gateways = [
    await App.start(model.variables, installation, 'gateway'),
    await App.start(model.variables, installation, 'gateway'),
  ];
  const others = [await App.start({}, installation, 'projections'), await App.start({}, installation, 'delivery')];
  apps = [...gateways, ...others];
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.kill()));
  await installation.dispose();
  await Promise.all([engines.dispose(), model.stop()]);
});

const nodes = (...states: readonly string[]) => engines.eventStoreDb.ask('nodes', states);

const ready = async (app: App) => {
  const { status, body } = await app.as(null).get('/ready');
  return { status, failing: body.failing };
};

const linesOf = (app: App) =>
  app.log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly component?: string; readonly msg: string });

describe('while no node of EventStoreDB leads', () => {
  it.each([
    ['one node is left, which knows that it may not lead', ['gone', 'unknown', 'gone']],
    ['one node is left, which has not noticed that its leader is gone', ['gone', 'gone', 'follower']],
    ['the others are silent', ['silent', 'unknown', 'silent']],
  ])('no process ends, requests and /ready are 503, and all is well within 5 s of a new leader: %s', async (name, states) => {
    await nodes('leader', 'follower', 'follower');
    for (const app of apps) await eventually(async () => expect(await ready(app)).toMatchObject({ status: 200 }));
    const load = new SteadyLoad(gateways, name);
    await eventually(() => expect(load.booked.length).toBeGreaterThan(4));
    // The leader that loses its majority refuses calls a while before its connections end.
    await nodes('unknown', 'gone', 'gone');
    await pause(300);
    const until = performance.now() + LEADERLESS_MS;
    await nodes(...states);
    for (const app of apps)
      await eventually(async () => expect(await ready(app)).toMatchObject({ status: 503, failing: ['EventStoreDB'] }));
    const refused = await gateways[0].api.say('leaderless', 'Hello');
    expect([refused.status, refused.body.error.code]).toEqual([503, 'service_unavailable']);
    await pause(until - performance.now());
    await nodes('gone', 'leader', 'follower');
    const from = performance.now();
    for (const gateway of gateways)
      await holdsWithin(BACK_WITHIN_MS, from, async () => expect((await gateway.api.say('back', 'Hello')).status).toBe(200));
    for (const app of apps)
      await holdsWithin(BACK_WITHIN_MS, from, async () => expect(await ready(app)).toMatchObject({ status: 200 }));
    await load.finish();
    for (const id of load.booked) expect((await gateways[1].api.get(`/v1/appointments/${id}`)).status).toBe(200);
  });

  it('a turn that needed the log is finished within 12 s of a new leader, though no client asks again', async () => {
    await nodes('leader', 'follower', 'follower');
    for (const app of apps) await eventually(async () => expect(await ready(app)).toMatchObject({ status: 200 }));
    let isAsked = false;
    let answer: () => void = () => undefined;
    model.answering = (asked) => {
      if (isAsked) return echo(asked);
      isAsked = true;
      const call = { calls: [{ name: 'find_appointments', args: '{}' }] };
      return new Promise((resolve) => (answer = () => resolve(call)));
    };
    const customer = { phone: '+4915100000001' };
    const lost = gateways[0].api.say('left-open', 'When is my appointment?', { customer });
    await eventually(() => expect(isAsked).toBe(true));
    await nodes('unknown', 'gone', 'gone');
    answer();
    const { status, body } = await lost;
    expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
    await nodes('gone', 'leader', 'follower');
    const from = performance.now();
    await holdsWithin(12_000, from, async () => {
      const { data } = (await gateways[1].api.get('/v1/conversations?external_id=left-open')).body;
      const messages = await gateways[1].api.get(`/v1/conversations/${data[0].id}/messages`);
      expect(messages.body.data.map(({ role }: { readonly role: string }) => role)).toEqual(['user', 'assistant']);
    });
  });

  it('a failure that the driver left is told of as EventStoreDB’s, once a minute at most', () => {
    const told = apps.map((app) => linesOf(app).filter(({ msg }) => msg.startsWith('the driver left a failure unhandled')));
    expect(told.flat().length).toBeGreaterThan(0);
    for (const lines of told) expect(lines.length).toBeLessThan(2);
    for (const { component } of told.flat()) expect(component).toBe('EventStoreDB');
  });
});
