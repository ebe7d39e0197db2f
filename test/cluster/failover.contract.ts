import { eventually } from '../e2e/harness/eventually.js';
import { echo } from '../e2e/harness/recording-model.js';
import { type DoubledApps, holdsWithin } from './doubled-apps.js';

/**
 * Tests that the other process takes over within the promised seconds where one is stopped or killed. The seconds are multiplied by
 * `factor`: 1 for idle apps, 2 under load. Webhooks of busy apps are late without a failover too: what one takes then is not counted.
 */
export function failoverContract(doubled: () => DoubledApps, factor: 1 | 2): void {
  const holds = (seconds: number, from: number, expectation: () => Promise<void>) =>
    holdsWithin(seconds * factor * 1_000, from, expectation);
  const listsFollow = () => doubled().listsFollow();
  const everyEndpointIsReached = () => doubled().everyEndpointIsReached();

  it(`answer a retry with its key within ${12 * factor} s of the kill of a gateway: one message, one reply`, async () => {
    const apps = doubled();
    const [killed, other] = apps.gateways;
    const key = { 'idempotency-key': 'killed-in-its-turn' };
    let isAsked = false;
    apps.model.answering = (asked) => {
      if (asked.last !== 'Who is there?' || isAsked) return echo(asked);
      isAsked = true;
      return new Promise(() => undefined);
    };
    const lost = killed.api.say('killed', 'Who is there?', {}, key).catch(() => null);
    await eventually(() => expect(isAsked).toBe(true));
    const from = performance.now();
    await killed.kill();
    await lost;
    let conversation = '';
    await holds(12, from, async () => {
      const again = await other.api.say('killed', 'Who is there?', {}, key);
      expect([again.status, again.body.reply?.content]).toEqual([200, 'Echo: Who is there?']);
      conversation = again.body.conversation_id;
    });
    const { body } = await other.api.get(`/v1/conversations/${conversation}/messages`);
    expect(body.data).toHaveLength(2);
    await killed.restart();
  });

  it(`go on with lists within ${2 * factor} s of the end of the projections that work, and ${8 * factor} s of their kill`, async () => {
    const [one, other] = doubled().projections;
    await one.stop();
    await eventually(listsFollow);
    await one.restart();
    let from = performance.now();
    await other.stop();
    await holds(2, from, listsFollow);
    await other.restart();
    from = performance.now();
    await one.kill();
    await holds(8, from, listsFollow);
    await one.restart();
  });

  it(`reach every endpoint again within ${2 * factor} s of the end of a delivery process, busy as it is, and ${12 * factor} s of its kill`, async () => {
    const [one, other] = doubled().deliveries;
    await doubled().deliveriesShare();
    await everyEndpointIsReached();
    // Of the attempts that get no answer, each process has some.
    for (const hook of doubled().hooks) hook.answers = [() => undefined, 200];
    await everyEndpointIsReached();
    const before = performance.now();
    await everyEndpointIsReached();
    let from = performance.now();
    const usual = factor === 1 ? 0 : from - before;
    const stopping = one.stop();
    await holds(2, from + usual, everyEndpointIsReached);
    await stopping;
    await one.restart();
    await doubled().deliveriesShare();
    await everyEndpointIsReached();
    from = performance.now();
    await other.kill();
    await holds(12, from, everyEndpointIsReached);
    await other.restart();
  });
}
