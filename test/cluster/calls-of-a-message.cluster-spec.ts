import { MongoClient } from 'mongodb';
import type { CallCounts } from '@testing/event-store-double';
import { App } from '../e2e/harness/app.js';
import { Installation } from '../e2e/harness/installation.js';
import { OwnEngines } from './own-engines.js';

const MESSAGES = 20;
/** Those that act on data; a driver also sends many to find out whether its server is there. */
const COMMANDS = ['aggregate', 'delete', 'find', 'findAndModify', 'insert', 'update'] as const;

type Commands = Readonly<Record<(typeof COMMANDS)[number], { readonly total: number }>>;

describe('a keyed message in a conversation that goes on', () => {
  let engines: OwnEngines;
  let installation: Installation;
  let mongo: MongoClient;
  let gateways: App[];
  let count = 0;

  beforeAll(async () => {
    engines = await OwnEngines.start();
    installation = new Installation(engines.servers);
    mongo = await MongoClient.connect(engines.servers.MONGODB_URL);
    gateways = await Promise.all([1, 2].map(() => App.start({}, installation, 'gateway')));
  });
  afterAll(async () => {
    await Promise.all(gateways.map((app) => app.kill()));
    await mongo.close();
    await installation.dispose();
    await engines.dispose();
  });

  async function say(app: App): Promise<void> {
    const key = { 'idempotency-key': `key-${++count}` };
    expect((await app.api.say('thread', 'Thank you', {}, key)).status).toBe(200);
  }

  async function asked() {
    const calls = (await engines.eventStoreDb.ask('calls')) as CallCounts;
    const { metrics } = (await mongo.db().admin().serverStatus()) as { metrics: { commands: Commands } };
    const commands = COMMANDS.reduce((sum, name) => sum + metrics.commands[name].total, 0);
    return { appends: calls.append + calls.batchAppend, reads: calls.readStream, looks: calls.readAll, commands };
  }

  /** What a message asks for, beside what each process does by the clock, so many times a second. */
  async function perMessage(besides: { reads: number; looks: number; commands: number }, send: () => Promise<void>) {
    const [before, from] = [await asked(), performance.now()];
    for (let sent = 0; sent < MESSAGES; sent += 1) await send();
    const after = await asked();
    const periods = ((performance.now() - from) / 1_000 + 1) * gateways.length;
    return {
      appends: (after.appends - before.appends) / MESSAGES,
      reads: (after.reads - before.reads - besides.reads * periods) / MESSAGES,
      looks: (after.looks - before.looks - besides.looks * periods) / MESSAGES,
      commands: (after.commands - before.commands - besides.commands * periods) / MESSAGES,
    };
  }

  /** The streams of the API key and the project are read once a second, the log four times; leases are renewed, and sweeps look for what is due. */
  const BY_THE_CLOCK = { reads: 2, looks: 4, commands: 2 };

  it('asks EventStoreDB for two appends and MongoDB for two commands, and reads nothing that its process knows', async () => {
    const [gateway] = gateways as [App];
    for (let warm = 0; warm < 3; warm += 1) await say(gateway);
    const { appends, reads, looks, commands } = await perMessage(BY_THE_CLOCK, () => say(gateway));
    expect(appends).toBe(2);
    expect(reads).toBeLessThanOrEqual(0);
    expect(looks).toBeLessThanOrEqual(0);
    expect(commands).toBeLessThanOrEqual(2);
  });

  it('reads once what another process has appended', async () => {
    let sent = 0;
    const byTurns = () => say(gateways[sent++ % 2] as App);
    for (let warm = 0; warm < 4; warm += 1) await byTurns();
    const { reads, looks } = await perMessage(BY_THE_CLOCK, byTurns);
    expect(reads).toBeLessThanOrEqual(1);
    expect(looks).toBeLessThanOrEqual(0);
  });
});
