import { eventually } from '@ports/contracts/eventually';
import { setTimeout as pause } from 'node:timers/promises';
import { App } from '../e2e/harness/app.js';
import { Installation } from '../e2e/harness/installation.js';
import { Backend, type Hook } from '../e2e/harness/receiver.js';
import { OwnEngines } from './own-engines.js';

const S = 1_000;
const AWAY_MS = 30 * S;
/** What a busy machine needs to notice that a server is gone, and to tell the operator. */
const NOTICED_WITHIN_MS = 20 * S;
const TOLD_WITHIN_MS = 60 * S;
const CLOSES_AFTER_MS = 60 * S;

/** EventStoreDB is last, since nothing is stored, nor told, while it is away. */
const SERVERS = [
  { name: 'Kafka', engine: 'kafka', isToldMeanwhile: true },
  { name: 'MongoDB', engine: 'mongoDb', isToldMeanwhile: true },
  { name: 'EventStoreDB', engine: 'eventStoreDb', isToldMeanwhile: false },
] as const;

interface Told {
  readonly type: 'issue.opened' | 'issue.closed';
  readonly timestamp: string;
  readonly data: Readonly<
    Record<'id' | 'kind' | 'status' | 'first_seen_at' | 'last_seen_at' | 'closed_at' | 'closed_by', string>
  > & {
    readonly project_id: string | null;
    readonly subject: { readonly object: string; readonly id: string };
  };
}

let engines: OwnEngines;
let installation: Installation;
let backend: Backend;
let operator: Hook;
let apps: readonly App[];

beforeAll(async () => {
  [engines, backend] = await Promise.all([OwnEngines.start(), Backend.start()]);
  installation = new Installation(engines.servers);
  operator = backend.hook(200);
  const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
  const told = { OPERATOR_WEBHOOK_URL: operator.url, OPERATOR_WEBHOOK_SECRET: secret };
  apps = await Promise.all((['gateway', 'projections', 'delivery'] as const).map((part) => App.start(told, installation, part)));
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.kill()));
  await installation.dispose();
  await Promise.all([engines.dispose(), backend.close()]);
});

/** What the operator was told of a server, in order. */
function toldOf(server: string): readonly Told[] {
  const told = operator.requests.map(({ body }) => JSON.parse(body) as Told);
  return told.filter(({ data }) => data.subject.id === server);
}

async function areReady(): Promise<void> {
  for (const app of apps) await eventually(async () => expect((await app.as(null).get('/ready')).status).toBe(200));
}

it('a server that is away for half a minute is one issue, of which the operator is told with its true times: Kafka and MongoDB meanwhile, EventStoreDB when it is back', async () => {
  const away: { readonly name: string; readonly from: number; readonly until: number }[] = [];
  for (const { name, engine, isToldMeanwhile } of SERVERS) {
    await areReady();
    const from = Date.now();
    await engines[engine].kill();
    await pause(AWAY_MS - S);
    expect(toldOf(name)).toEqual([]);
    if (isToldMeanwhile) await eventually(() => expect(toldOf(name)).toHaveLength(1), TOLD_WITHIN_MS);
    else await pause(NOTICED_WITHIN_MS);
    const until = Date.now();
    expect(toldOf(name)).toHaveLength(isToldMeanwhile ? 1 : 0);
    await engines[engine].restart();
    away.push({ name, from, until });
  }
  for (const { name, from, until } of away) {
    await eventually(() => expect(toldOf(name)).toHaveLength(2), CLOSES_AFTER_MS + TOLD_WITHIN_MS);
    const [opened, closed] = toldOf(name);
    const kind = { kind: 'server_away', project_id: null, subject: { object: 'server', id: name } };
    expect(opened).toMatchObject({ type: 'issue.opened', data: { ...kind, status: 'open', closed_at: null } });
    expect(closed).toMatchObject({
      type: 'issue.closed',
      data: { ...kind, id: opened!.data.id, status: 'closed', closed_by: 'resolved', first_seen_at: opened!.data.first_seen_at },
    });
    const times = [opened!.data.first_seen_at, opened!.data.last_seen_at, closed!.data.closed_at];
    const [firstSeenAt, lastSeenAt, closedAt] = times.map((time) => Date.parse(time)) as [number, number, number];
    expect(firstSeenAt).toBeGreaterThanOrEqual(from);
    expect(firstSeenAt).toBeLessThanOrEqual(from + NOTICED_WITHIN_MS);
    expect(lastSeenAt).toBeGreaterThanOrEqual(firstSeenAt + AWAY_MS);
    expect(closedAt).toBeGreaterThanOrEqual(until + CLOSES_AFTER_MS);
  }
}, 600_000);
