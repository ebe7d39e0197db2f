import type { FastifyReply } from 'fastify';
import { Metrics } from '@platform/operations/metrics';
import { Readiness } from '@platform/operations/readiness';
import { type Engine, type EnginePart } from '@ports/engine.port';
import type { Settings } from '@ports/settings.port';
import { fakeSettings } from '@testing/fake-settings';
import { HealthController } from './health.controller.js';
import { ReadinessMetrics } from './readiness-metrics.js';

const store = (ready: boolean): EnginePart => ({ name: 'store', ready, needed: true });
const topics = (ready: boolean): EnginePart => ({ name: 'topics', ready, needed: false });
const SILENCE = new Promise<never>(() => undefined);

let settings: Settings;
beforeEach(() => void (settings = fakeSettings()));

async function askReady(parts: () => Promise<readonly EnginePart[]>, ...steps: readonly boolean[]) {
  const readiness = new Readiness({ isShared: false, parts } as Engine, 'gateway', settings);
  for (const serving of steps) readiness.set(serving);
  let status = 200;
  const reply = { status: (code: number) => void (status = code) } as unknown as FastifyReply;
  return { ...(await new HealthController(readiness, new Metrics()).ready(reply)), code: status };
}

describe('whether the service is ready', () => {
  afterEach(() => jest.useRealTimers());
  const inReach = () => Promise.resolve([store(true)]);

  it('is said with its parts once it serves', async () => {
    const parts = ['gateway', 'store'].map((name) => ({ name, ready: true }));
    expect(await askReady(inReach, true)).toEqual({ code: 200, status: 'ready', parts });
  });

  it('is denied, naming the gateway, before it serves and once it ends', async () => {
    const denied = { code: 503, status: 'not_ready', failing: ['gateway'] };
    expect(await askReady(inReach)).toMatchObject(denied);
    expect(await askReady(inReach, true, false)).toMatchObject(denied);
  });

  it('is denied, naming the part of the engine that is out of reach', async () => {
    expect(await askReady(() => Promise.resolve([store(false)]), true)).toMatchObject({ code: 503, failing: ['store'] });
    expect(await askReady(() => Promise.reject(new Error('gone')), true)).toMatchObject({ code: 503, failing: ['engine'] });
  });

  it('is said though a part is out of reach that it can do without, which is named', async () => {
    const parts = [store(true), topics(false)];
    expect(await askReady(() => Promise.resolve(parts), true)).toMatchObject({
      code: 200,
      status: 'ready',
      degraded: ['topics'],
      parts: expect.arrayContaining([{ name: 'topics', ready: false }]) as unknown,
    });
    const worse = [store(false), topics(false)];
    const denied = { code: 503, failing: ['store'], degraded: ['topics'] };
    expect(await askReady(() => Promise.resolve(worse), true)).toMatchObject(denied);
    expect(await askReady(() => Promise.resolve([store(true), topics(true)]), true)).not.toHaveProperty('degraded');
  });

  it('is said while webhooks are on hold, which is named', async () => {
    settings = fakeSettings({ webhookDelivery: 'hold' });
    const said = await askReady(inReach, true);
    expect(said).toMatchObject({ code: 200, status: 'ready', degraded: ['webhook_delivery'] });
    expect(said.parts).toContainEqual({ name: 'webhook_delivery', ready: false });
  });

  it('is denied after two seconds in which the engine said nothing', async () => {
    jest.useFakeTimers();
    let answer: { code: number; failing?: readonly string[] } | undefined;
    void askReady(() => SILENCE, true).then((said) => (answer = said));
    await jest.advanceTimersByTimeAsync(1_999);
    expect(answer).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(answer).toMatchObject({ code: 503, failing: ['engine'] });
  });

  it('is a metric of each part too', async () => {
    let parts = [store(true), topics(false)];
    const engine = { isShared: false, parts: () => Promise.resolve(parts) } as unknown as Engine;
    const [metrics, readiness] = [new Metrics(), new Readiness(engine, 'gateway', settings)];
    new ReadinessMetrics(metrics, readiness).onApplicationBootstrap();
    const told = async () => (await metrics.render()).match(/^part_ready\{.*$/gm);
    readiness.set(true);
    expect(await told()).toEqual(['part_ready{part="gateway"} 1', 'part_ready{part="store"} 1', 'part_ready{part="topics"} 0']);
    parts = [store(true)];
    expect(await told()).toEqual(['part_ready{part="gateway"} 1', 'part_ready{part="store"} 1']);
  });
});
