import fc from 'fast-check';
import { FakeClock, settle } from '@testing/fake-clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPorts, openEmbeddedEngine } from '../open-embedded-engine.js';
import { connect } from '../database.js';
import type { WriteAnswer } from '../writer/requests.js';
import { storeFile } from '../writer/store-file.js';
import { StoreWriter } from '../writer/store-writer.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('records in the file', () => {
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

  /** Long enough for every write to be answered. */
  async function written(turns = 20): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await settle();
  }

  async function valueOf(key: string): Promise<string | null> {
    return (await ports.records.get(key))?.value ?? null;
  }

  async function set(key: string, value: string | null, expiresAt: number): Promise<void> {
    const there = await ports.records.get(key);
    if (value === null) await (there && ports.records.remove(key, there.version));
    else if (there) await ports.records.replace(key, there.version, value, expiresAt);
    else await ports.records.create(key, value, expiresAt);
  }

  function rows(): number {
    const db = connect(storeFile(directory), { busyMs: 0, readOnly: true });
    const [count] = db.prepare('SELECT count(*) FROM expiring_records').get() as unknown as [number];
    db.close();
    return count;
  }

  it('are what was written last, through replacements, removals, expiry, restarts and purges in any order', async () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.oneof(
      fc.record({ act: fc.constant('set' as const), key, minutes: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ act: fc.constant('remove' as const), key }),
      fc.constant({ act: 'a minute passes' as const }),
      fc.constant({ act: 'restart' as const }),
    );
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
  });

  it('leave nothing behind when they have expired or are removed', async () => {
    for (let index = 0; index < 50; index++) await set(`key ${index % 20}`, `${index}`, clock.now() + MINUTE);
    await set('key 3', null, 0);
    await written();
    expect(rows()).toBe(19);
    await clock.advance(MINUTE);
    await written();
    expect(rows()).toBe(0);
  });

  it('are purged at the next minute when the disk refused it before', async () => {
    await set('short', 'gone', clock.now() + MINUTE);
    await set('long', 'kept', clock.now() + DAY);
    await written();
    const refused: WriteAnswer = { refused: 'not-stored', reason: 'database or disk is full', disk: true };
    const { commit } = StoreWriter.prototype;
    jest.spyOn(StoreWriter.prototype, 'commit').mockImplementation(function (this: StoreWriter, requests) {
      return requests.map((request) => (request.kind === 'purge-records' ? refused : commit.call(this, [request])[0]!));
    });
    await clock.advance(MINUTE);
    await written();
    expect(rows()).toBe(2);
    jest.restoreAllMocks();
    await clock.advance(MINUTE);
    await written();
    expect([rows(), await valueOf('long')]).toEqual([1, 'kept']);
  });
});
