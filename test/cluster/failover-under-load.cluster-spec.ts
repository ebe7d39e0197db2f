import { eventually } from '../e2e/harness/eventually.js';
import { echo } from '../e2e/harness/recording-model.js';
import { DoubledApps, holdsWithin } from './doubled-apps.js';
import { SteadyLoad } from './steady-load.js';

let apps: DoubledApps;
let load: SteadyLoad;

beforeAll(async () => {
  apps = await DoubledApps.start();
  load = new SteadyLoad(apps.gateways);
});
afterAll(async () => {
  await load.finish();
  await apps.dispose();
});

/** The seconds that are promised of an idle machine are twice as many under load. */
describe('two of each app that clients keep busy', () => {
  const listsFollow = () => apps.listsFollow();
  const everyEndpointIsReached = () => apps.everyEndpointIsReached();

  it('answer a retry with its key within 24 s of the kill of a gateway: one message, one reply', async () => {
    const [killed, other] = apps.gateways;
    const key = { 'idempotency-key': 'killed-in-its-turn' };
    let isAsked = false;
    apps.model.answering = (asked) => {
      if (asked.last !== 'Hello' || isAsked) return echo(asked);
      isAsked = true;
      return new Promise(() => undefined);
    };
    const lost = killed.api.say('killed', 'Hello', {}, key).catch(() => null);
    await eventually(() => expect(isAsked).toBe(true));
    const from = performance.now();
    await killed.kill();
    await lost;
    let conversation = '';
    await holdsWithin(24_000, from, async () => {
      const again = await other.api.say('killed', 'Hello', {}, key);
      expect([again.status, again.body.reply?.content]).toEqual([200, 'Echo: Hello']);
      conversation = again.body.conversation_id;
    });
    const { body } = await other.api.get(`/v1/conversations/${conversation}/messages`);
    expect(body.data).toHaveLength(2);
    await killed.restart();
  });

  it('go on with lists within 4 s of the end of the projections that work, and 16 s of their kill', async () => {
    const [one, other] = apps.projections;
    await one.stop();
    await eventually(listsFollow);
    await one.restart();
    let from = performance.now();
    await other.stop();
    await holdsWithin(4_000, from, listsFollow);
    await other.restart();
    from = performance.now();
    await one.kill();
    await holdsWithin(16_000, from, listsFollow);
    await one.restart();
  });

  it('reach every endpoint again within 4 s of the end of a delivery process and 24 s of its kill', async () => {
    const [one, other] = apps.deliveries;
    await everyEndpointIsReached();
    let from = performance.now();
    const stopping = one.stop();
    await holdsWithin(4_000, from, everyEndpointIsReached);
    await stopping;
    await one.restart();
    await everyEndpointIsReached();
    from = performance.now();
    await other.kill();
    await holdsWithin(24_000, from, everyEndpointIsReached);
    await other.restart();
  });

  it('lose nothing of what the clients were told: no refusal, and every appointment reaches every endpoint', async () => {
    await load.finish();
    expect(load.refused).toEqual([]);
    expect([load.booked.length > 20, load.posted > 60]).toEqual([true, true]);
    for (const id of load.booked) await apps.isToldToAll(id);
  });
});
