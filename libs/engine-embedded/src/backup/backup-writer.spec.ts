import { BackupFailed, BackupRefused } from '@ports/engine.port';
import { FakeClock } from '@testing/fake-clock';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DataDirectoryInUse, DataDirectoryWithoutStore } from '../data-directory.js';
import { connect } from '../database.js';
import { type EmbeddedPorts, openEmbeddedEngine } from '../open-embedded-engine.js';
import { backUpDirectory } from './back-up-directory.js';
import { BackupWriter } from './backup-writer.js';

const clock = new FakeClock();
let folder: string;
let directory: string;
let copy: string;
let ports: EmbeddedPorts;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'));
  directory = join(folder, 'data');
  copy = join(folder, 'made', 'copy');
  ports = await openEmbeddedEngine(directory, clock);
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(folder, { recursive: true });
});

const note = (stream: string, expected: number | 'none', text = 'x') =>
  ports.events.append(stream, [{ id: randomUUID(), event: { type: 'Noted', at: 1, text } as never }], expected);
const fill = (count: number) => {
  const event = { type: 'Noted', at: 1, text: 'x'.repeat(2_000) } as never;
  return ports.events.append(
    'filled',
    Array.from({ length: count }, () => ({ id: randomUUID(), event })),
    'none',
  );
};
async function inCopy(...streams: readonly string[]): Promise<readonly number[]> {
  const restored = await openEmbeddedEngine(copy, clock);
  const counts = await Promise.all(streams.map(async (stream) => (await restored.events.read(stream)).length));
  await restored.engine.close();
  return counts;
}
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('a backup', () => {
  it('of a store that is written on holds all that was acknowledged before it began, as at one moment', async () => {
    await fill(3_000);
    await note('first', 'none');
    let written = 0;
    let over = false;
    const backup = ports.engine.backUp(copy, []).finally(() => (over = true));
    while (!over) {
      await note('one', written === 0 ? 'none' : written - 1);
      await note('other', written === 0 ? 'none' : written - 1);
      written += 1;
      await nextTurn();
    }
    const { bytes } = await backup;
    expect(written).toBeGreaterThan(0);
    const [filled, first, one = 0, other = 0] = await inCopy('filled', 'first', 'one', 'other');
    expect([filled, first, bytes > 6_000_000]).toEqual([3_000, 1, true]);
    expect([0, 1]).toContain(one - other);
  });

  it('is one file for its owner only, with the files that it was to take along', async () => {
    writeFileSync(join(directory, 'secrets.key'), 'key', { mode: 0o600 });
    await ports.engine.backUp(copy, ['secrets.key']);
    expect(readdirSync(copy)).toEqual(['secrets.key', 'store.sqlite']);
    expect([copy, join(copy, 'secrets.key'), join(copy, 'store.sqlite')].map(modeOf)).toEqual([0o700, 0o600, 0o600]);
    expect(readFileSync(join(copy, 'secrets.key'), 'utf8')).toBe('key');
  });

  it('may be made into a folder that is there and empty', async () => {
    mkdirSync(copy, { recursive: true });
    await ports.engine.backUp(copy, []);
    expect(readdirSync(copy)).toEqual(['store.sqlite']);
  });

  it('is refused where something is, which stays as it is', async () => {
    mkdirSync(copy, { recursive: true });
    writeFileSync(join(copy, 'mine'), 'mine');
    const refused = ports.engine.backUp(copy, []);
    await expect(refused).rejects.toThrow(BackupRefused);
    await expect(refused).rejects.toThrow(/is not empty/);
    await expect(ports.engine.backUp(join(copy, 'mine'), [])).rejects.toThrow(/is a file/);
    expect(readdirSync(copy)).toEqual(['mine']);
  });

  it.each(['/dev/null/copy', '/proc/nothing/here'])('is refused where nothing can be written: %s', async (path) => {
    const refused = ports.engine.backUp(path, []);
    await expect(refused).rejects.toThrow(BackupRefused);
    await expect(refused).rejects.toThrow(path);
  });

  it('is refused without a file that it was to take along, and leaves nothing', async () => {
    await expect(ports.engine.backUp(copy, ['secrets.key'])).rejects.toThrow(/cannot take the file secrets.key/);
    expect(readdirSync(join(copy, '..'))).toEqual([]);
  });

  it('is refused on a disk that it would fill, and leaves nothing', async () => {
    const writer = new BackupWriter(directory, () => 1_000_000);
    await expect(writer.write(copy, [])).rejects.toThrow(/too little room: 1 MiB are free and \d+ MiB needed/);
    expect(readdirSync(join(copy, '..'))).toEqual([]);
  });

  it('of a store that is damaged fails, and leaves nothing but the folder that was there', async () => {
    await fill(1_000);
    await ports.engine.close();
    const file = openSync(join(directory, 'store.sqlite'), 'r+');
    for (let page = 10; page < 60; page++) writeSync(file, 'damaged'.repeat(100), page * 8_192);
    closeSync(file);
    mkdirSync(copy, { recursive: true });
    await expect(new BackupWriter(directory).write(copy, [])).rejects.toThrow(BackupFailed);
    expect(readdirSync(copy)).toEqual([]);
  });

  it('is refused once the engine closes', async () => {
    await ports.engine.close();
    await expect(ports.engine.backUp(copy, [])).rejects.toThrow(BackupRefused);
  });
});

describe('a backup of a directory that no service runs on', () => {
  it('holds everything, and leaves the directory as it is, of an older layout too', async () => {
    await fill(10);
    await ports.engine.close();
    const old = connect(join(directory, 'store.sqlite'), { busyMs: 0 });
    old.exec('PRAGMA user_version = 2');
    old.close();
    const before = readdirSync(directory);
    await backUpDirectory(directory, copy, []);
    expect(readdirSync(directory)).toEqual(before);
    for (const one of [directory, copy]) {
      const db = connect(join(one, 'store.sqlite'), { busyMs: 0, readOnly: true });
      expect([db.prepare('PRAGMA user_version').get(), db.prepare('SELECT count(*) FROM events').get()]).toEqual([[2], [10]]);
      db.close();
    }
  });

  it('is refused where a service runs, or never ran', async () => {
    await expect(backUpDirectory(directory, copy, [])).rejects.toThrow(DataDirectoryInUse);
    const elsewhere = join(folder, 'elsewhere');
    await expect(backUpDirectory(elsewhere, copy, [])).rejects.toThrow(DataDirectoryWithoutStore);
    expect(readdirSync(folder)).toEqual(['data']);
  });
});
