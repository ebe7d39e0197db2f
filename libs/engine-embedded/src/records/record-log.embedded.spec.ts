import fc from 'fast-check';
import { FakeClock, settle } from '@testing/fake-clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPorts, openEmbeddedEngine } from '../open-embedded-engine.js';
import { connect } from '../database.js';
import type { WriteAnswer } from '../writer/requests.js';
import { keyHash } from './key-hash.js';
import { openForWriting, storeFile } from '../writer/store-file.js';
import { StoreWriter } from '../writer/store-writer.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('records whose keys are entered into the index later', () => {
  let directory: string;
  let clock: FakeClock;
  let ports: EmbeddedPorts;

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'records-'));
    clock = new FakeClock();
    ports = await openEmbeddedEngine(directory, clock);
  });
  afterEach(async () => {
    await ports.engine.close();
    rmSync(directory, { recursive: true });
  });

  async function reopen(): Promise<void> {
    await ports.engine.close();
    ports = await openEmbeddedEngine(directory, clock);
  }

  /** Long enough for whatever is written to be answered. */
  async function written(turns = 20): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await settle();
  }

  async function valueOf(key: string): Promise<string | null> {
    return (await ports.records.get(key))?.value ?? null;
  }

  /** A living record as it was set before, a new one, or none; whatever was there goes. */
  async function set(key: string, value: string | null, expiresAt: number): Promise<void> {
    const there = await ports.records.get(key);
    if (value === null) await (there && ports.records.remove(key, there.version));
    else if (there) await ports.records.replace(key, there.version, value, expiresAt);
    else await ports.records.create(key, value, expiresAt);
  }

  function rowsIn(table: string): number {
    const db = connect(storeFile(directory), { busyMs: 0, readOnly: true });
    const [count] = db.prepare(`SELECT count(*) FROM ${table}`).get() as unknown as [number];
    db.close();
    return count;
  }

  /** Soon what is written comes into the second part of the index. */
  async function endOfPart(): Promise<void> {
    await ports.engine.close();
    const db = openForWriting(storeFile(directory));
    db.exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('records indexed', 65480)");
    db.close();
    ports = await openEmbeddedEngine(directory, clock);
  }

  it('are found when there are thousands, whether entered or not, also after a restart', async () => {
    const count = 9_000;
    const keyOf = (index: number) => `key ${(index * 7_919) % count}`;
    for (let index = 0; index < count; index++) await ports.records.create(keyOf(index), `${index}`, clock.now() + DAY);
    await written(60);
    expect(rowsIn('record_places')).toBeGreaterThan(8_000);
    await set(keyOf(1), 'replaced', clock.now() + DAY);
    await set(keyOf(2), null, 0);
    for (const again of [false, true]) {
      if (again) await reopen();
      expect(await Promise.all([0, 1, 2, count - 1].map((index) => valueOf(keyOf(index))))).toEqual([
        '0',
        'replaced',
        null,
        `${count - 1}`,
      ]);
    }
  });

  it('are what was written last, through replacements, removals, expiry, restarts and purges in any order', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ act: fc.constant('set' as const), key, minutes: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ act: fc.constant('remove' as const), key }),
      fc.constant({ act: 'a minute passes' as const }),
      fc.constant({ act: 'restart' as const }),
    );
    await endOfPart();
    let writes = 0;
    const law = fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const expected = new Map<string, { value: string; until: number }>();
      for (const name of ['a', 'b', 'c', 'd']) await set(name, null, 0);
      for (const taken of steps) {
        if (taken.act === 'set') {
          const entry = { value: `${(writes += 1)}`, until: clock.now() + taken.minutes * MINUTE };
          await set(taken.key, entry.value, entry.until);
          expected.set(taken.key, entry);
        } else if (taken.act === 'remove') {
          await set(taken.key, null, 0);
          expected.delete(taken.key);
        } else if (taken.act === 'restart') {
          await reopen();
        } else {
          await written(3);
          await clock.advance(MINUTE);
          await written(3);
        }
        for (const name of ['a', 'b', 'c', 'd']) {
          const entry = expected.get(name);
          expect(await valueOf(name)).toBe(entry && entry.until > clock.now() ? entry.value : null);
        }
      }
    });
    await fc.assert(law, { numRuns: 60 });
    await set('last', 'of all', clock.now() + DAY);
    await written();
    const db = connect(storeFile(directory), { busyMs: 0, readOnly: true });
    expect(db.prepare('SELECT max(row) > 65536 FROM record_log').get()).toEqual([1]);
    db.close();
  });

  it('are told apart though the index knows their keys by the same number', async () => {
    const seen = new Map<number, string>();
    let [one, other]: (string | undefined)[] = [];
    for (let index = 0; one === undefined; index++) {
      other = `key ${index}`;
      one = seen.get(keyHash(other));
      seen.set(keyHash(other), other);
    }
    await set(one, 'one', clock.now() + DAY);
    await written();
    await clock.advance(MINUTE);
    await reopen();
    expect(await Promise.all([valueOf(one), valueOf(other!)])).toEqual(['one', null]);
    await set(other!, 'other', clock.now() + DAY);
    await set(one, 'one again', clock.now() + DAY);
    await written();
    await clock.advance(MINUTE);
    await written();
    await reopen();
    expect(await Promise.all([valueOf(one), valueOf(other!)])).toEqual(['one again', 'other']);
  });

  it('leave neither log nor index behind when they have expired', async () => {
    for (let index = 0; index < 50; index++) await set(`key ${index % 20}`, `${index}`, clock.now() + MINUTE);
    await set('key 3', null, 0);
    await written();
    await clock.advance(2 * MINUTE);
    await written();
    await clock.advance(2 * MINUTE);
    await written();
    expect([rowsIn('record_log'), rowsIn('record_places')]).toEqual([0, 0]);
  });

  it('leave one row each, however often they are replaced, and none once they are removed', async () => {
    for (let minute = 0; minute < 30; minute++) {
      await set('kept', `${minute}`, clock.now() + 400 * DAY);
      await set('kept', `${minute} and a half`, clock.now() + 400 * DAY);
      await set('removed', `${minute}`, clock.now() + 400 * DAY);
      if (minute === 15) await reopen();
      await written(3);
      await clock.advance(MINUTE);
      await written(3);
    }
    await set('removed', null, 0);
    await written();
    await clock.advance(2 * MINUTE);
    await written();
    expect([rowsIn('record_log'), rowsIn('record_places'), await valueOf('kept')]).toEqual([1, 1, '29 and a half']);
  });

  it('are purged though the disk has no room for the index, and again when a purge was refused', async () => {
    await set('before', 'known to the index', clock.now() + 2 * MINUTE);
    await written();
    await clock.advance(MINUTE);
    await written();
    const refused: WriteAnswer = { refused: 'not-stored', reason: 'database or disk is full', disk: true };
    const { commit } = StoreWriter.prototype;
    let refuses: readonly string[] = [];
    jest.spyOn(StoreWriter.prototype, 'commit').mockImplementation(function (this: StoreWriter, requests) {
      return requests.map((request) => (refuses.includes(request.kind) ? refused : commit.call(this, [request])[0]!));
    });
    await set('after', 'not known to it', clock.now() + DAY);
    for (const refusing of [['index-records', 'purge-records'], ['index-records']]) {
      refuses = refusing;
      await written();
      await clock.advance(2 * MINUTE);
      await written();
    }
    jest.restoreAllMocks();
    expect([rowsIn('record_log'), rowsIn('record_places'), await valueOf('after')]).toEqual([1, 0, 'not known to it']);
  });

  it('are kept when a directory of the second layout is opened, whose index had no parts', async () => {
    await set('old', 'kept', clock.now() + DAY);
    await set('replaced', 'once', clock.now() + DAY);
    await ports.engine.close();
    const db = openForWriting(storeFile(directory));
    db.exec('CREATE TABLE record_index (key TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID');
    db.exec('DELETE FROM record_places; INSERT INTO record_index (key, row) SELECT key, row FROM record_log');
    db.exec("INSERT OR REPLACE INTO meta (name, value) SELECT 'records indexed', max(row) FROM record_log");
    db.exec('PRAGMA user_version = 2');
    db.close();
    ports = await openEmbeddedEngine(directory, clock);
    await set('replaced', 'twice', clock.now() + DAY);
    await reopen();
    expect(await Promise.all([valueOf('old'), valueOf('replaced')])).toEqual(['kept', 'twice']);
  });

  it.each([
    ['by rows', 'id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE', ''],
    ['by keys', 'key TEXT PRIMARY KEY', 'WITHOUT ROWID'],
  ])('are kept when a directory of the first layout is opened, which held them %s', async (_, key, how) => {
    await ports.engine.close();
    const db = openForWriting(storeFile(directory));
    db.exec(`CREATE TABLE records (${key}, value TEXT NOT NULL, version TEXT NOT NULL, expires_at INTEGER NOT NULL) ${how}`);
    db.prepare("INSERT INTO records (key, value, version, expires_at) VALUES ('old', 'kept', '1.1', ?)").run(clock.now() + DAY);
    db.exec('PRAGMA user_version = 1');
    db.close();
    ports = await openEmbeddedEngine(directory, clock);
    expect(await valueOf('old')).toBe('kept');
    await set('old', 'replaced', clock.now() + DAY);
    await set('new', 'made', clock.now() + DAY);
    await reopen();
    expect(await Promise.all([valueOf('old'), valueOf('new')])).toEqual(['replaced', 'made']);
  });
});
