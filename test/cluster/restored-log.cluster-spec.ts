import { MongoClient } from 'mongodb';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App } from '../e2e/harness/app.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { book } from '../e2e/harness/ledger.js';
import { holdsWithin } from './doubled-apps.js';
import { OwnEngines } from './own-engines.js';

const MADE_ANEW_WITHIN_MS = 12_000;

describe('rows that are not those of the log', () => {
  let engines: OwnEngines;
  let installation: Installation;
  let gateway: App;
  let projections: App;
  let database: MongoClient;

  beforeAll(async () => {
    engines = await OwnEngines.start();
    installation = new Installation(engines.servers);
    gateway = await App.start({}, installation, 'gateway');
    projections = await App.start({}, installation, 'projections');
    database = await MongoClient.connect(engines.mongoDb.url);
  });
  afterAll(async () => {
    await database.close();
    await Promise.all([gateway, projections].map((app) => app.kill()));
    await installation.dispose();
    await engines.dispose();
  });

  const journal = () => join(engines.eventStoreDb.directory, 'log.jsonl');

  async function booked(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const { status, body } = await book(gateway.api);
      expect(status).toBe(201);
      ids.push(body.id);
    }
    return ids;
  }

  /** The ids that the list shows; null while it answers 503, which bears `Retry-After`. */
  async function listed(): Promise<readonly string[] | null> {
    const { status, body, headers } = await gateway.api.get('/v1/appointments?limit=100');
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/);
    else expect(status).toBe(200);
    return status === 503 ? null : body.data.map(({ id }: { id: string }) => id);
  }

  /** The list is out of reach or whole from now on, and whole within the time. */
  async function isMadeAnew(all: readonly string[]): Promise<void> {
    const inPart: number[] = [];
    await holdsWithin(MADE_ANEW_WITHIN_MS, performance.now(), async () => {
      const shown = await listed();
      if (shown === null) throw new Error('The list is out of reach.');
      if (shown.length < all.length) inPart.push(shown.length);
      expect([...shown].sort()).toEqual([...all].sort());
    });
    expect(inPart).toEqual([]);
  }

  it('begin anew where the log was restored from an older copy while the service ran, and where it was stopped', async () => {
    const kept = await booked(5);
    await eventually(async () => expect(await listed()).toHaveLength(5));
    const copy = readFileSync(journal());
    let all = kept;
    for (const isRunning of [true, false]) {
      const gone = await booked(40);
      await eventually(async () => expect(await listed()).toHaveLength(all.length + 40));
      if (!isRunning) await Promise.all([gateway, projections].map((app) => app.stop()));
      await engines.eventStoreDb.kill();
      writeFileSync(journal(), copy);
      await engines.eventStoreDb.restart();
      if (!isRunning) for (const app of [gateway, projections]) await app.restart();
      await eventually(async () => expect((await gateway.api.get(`/v1/appointments/${gone[0]}`)).status).toBe(404));
      const later: string[] = [];
      while (later.length < 5) later.push(...(await eventually(() => booked(1))));
      all = [...kept, ...later];
      await eventually(async () => expect([...((await listed()) ?? [])].sort()).toEqual([...all].sort()));
    }
  });

  it('begin anew where their collection is dropped, and a reader is never shown a part of them', async () => {
    const all = await eventually(async () => {
      const ids = await listed();
      if (ids === null) throw new Error('The list is out of reach.');
      return ids;
    });
    const prefix = `${installation.prefix}appointments@`;
    const db = database.db();
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      if (name.startsWith(prefix)) await db.collection(name).drop();
    }
    expect([null, all]).toContainEqual(await listed());
    await isMadeAnew(all);
    await db.dropDatabase();
    await isMadeAnew(all);
    expect((await booked(1)).length).toBe(1);
  });
});
