import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { App } from '../e2e/harness/app.js';
import type { Client } from '../e2e/harness/client.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book } from '../e2e/harness/ledger.js';
import { Backend, LOCAL_HOOKS, subscribe } from '../e2e/harness/receiver.js';
import { DeliveryGroup } from './delivery-group.js';

/** As many as share neither 24 partitions nor three topics evenly. */
const PROCESSES = 5;
const ENDPOINTS = 8;
const EVENTS = 4;
const ATTEMPTS = 3;
const TEN_SECONDS = 10_000;
/** Only ends what hangs: the endpoints have their attempts one after the other, however slow the machine is. */
const ALL_ENDPOINTS_WITHIN_MS = 400_000;

let installation: Installation;
let backend: Backend;
let gateway: App;
let projections: App;
let deliveries: App[];
let group: DeliveryGroup;

const start = (part: 'gateway' | 'projections' | 'delivery') => App.start(LOCAL_HOOKS, installation, part);

beforeAll(async () => {
  [installation, backend] = [new Installation(), await Backend.start()];
  [gateway, projections] = await Promise.all([start('gateway'), start('projections')]);
  deliveries = await Promise.all(Array.from({ length: PROCESSES }, () => start('delivery')));
  group = await DeliveryGroup.of(installation);
});

afterAll(async () => {
  await Promise.all([gateway, projections, ...deliveries].map((app) => app.kill()));
  await Promise.all([group.close(), installation.dispose(), backend.close()]);
});

/** How many attempts each process has made. */
function attempts(): Promise<readonly number[]> {
  return Promise.all(
    deliveries.map(async (delivery) => {
      const { text } = await delivery.as(null).get('/metrics');
      const counts = [...text.matchAll(/^webhook_attempts_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
      return counts.reduce((sum, count) => sum + count, 0);
    }),
  );
}

async function bookMany(client: Client, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10) await Promise.all(Array.from({ length: Math.min(10, left) }, () => book(client)));
}

/** How many of all attempts of one more endpoint each process makes. */
async function attemptsOfAnEndpoint(): Promise<readonly number[]> {
  const before = await attempts();
  const hook = backend.hook(503);
  const { client } = await subscribe(gateway, hook.url);
  await bookMany(client, EVENTS);
  await hook.received(EVENTS * ATTEMPTS);
  return eventually(async () => {
    const made = (await attempts()).map((count, index) => count - before[index]!);
    expect(made.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(EVENTS * ATTEMPTS);
    return made;
  });
}

/** Takes another endpoint for one during whose attempts Kafka changed the assignment, as when a busy process misses its heartbeats. */
async function attemptsUnderOneAssignment(): Promise<readonly number[]> {
  for (;;) {
    const assignment = await group.sharedBy(PROCESSES);
    const made = await attemptsOfAnEndpoint();
    if (isDeepStrictEqual(await group.sharedBy(PROCESSES), assignment)) return made;
  }
}

/** The most that came within any ten seconds. */
function mostInTenSeconds(at: readonly number[]): number {
  return Math.max(...at.map((from) => at.filter((each) => each >= from && each < from + TEN_SECONDS).length));
}

describe('several delivery processes', () => {
  it(
    'make first and later attempts of an endpoint in one of them, and share the endpoints',
    async () => {
      const makers = new Set<number>();
      for (let n = 0; n < ENDPOINTS; n++) {
        const made = await attemptsUnderOneAssignment();
        expect(made.filter((count) => count > 0)).toEqual([EVENTS * ATTEMPTS]);
        makers.add(made.findIndex((count) => count > 0));
      }
      expect(makers.size).toBeGreaterThan(1);
    },
    ALL_ENDPOINTS_WITHIN_MS,
  );

  it('keep together to the rate of an endpoint while processes come, end and are killed', async () => {
    const at: number[] = [];
    const hook = backend.hook((_, response) => {
      at.push(performance.now());
      response.writeHead(200).end();
    });
    const { client } = await subscribe(gateway, hook.url, { rate_limit_per_second: 5 });
    await bookMany(client, 150);
    await hook.received(25);
    deliveries.push(await start('delivery'));
    await pause(4_000);
    await deliveries.shift()?.stop();
    await pause(4_000);
    await deliveries.shift()?.kill();
    await eventually(() => expect(new Set(hook.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(150));
    expect(mostInTenSeconds(at)).toBeLessThanOrEqual(50);
  });
});
