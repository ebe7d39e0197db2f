import { BackupRefused } from '@ports/engine.port';
import { FakeClock } from '@testing/fake-clock';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
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
import { DataDirectoryInUse } from '../data-directory.js';
import { openEmbeddedEngine } from '../open-embedded-engine.js';
import { openForWriting } from '../writer/store-file.js';
import { backUpDirectory } from './back-up-directory.js';
import { restoreDirectory } from './restore-directory.js';

const KEY = 'secrets.key';
const NOW = Date.parse('2026-11-28T12:00:00.000Z');
const KEPT = 'replaced-2026-11-28T12-00-00-000Z';

let folder: string;
const place = (...names: readonly string[]) => join(folder, ...names);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'restore-'));
  await note(place('data'), 1);
  writeFileSync(place('data', KEY), 'key');
  await backUpDirectory(place('data'), place('backup'), [KEY]);
  await note(place('data'), 2);
});
afterEach(() => rmSync(folder, { recursive: true }));

async function note(directory: string, count: number): Promise<void> {
  const { engine, events } = await openEmbeddedEngine(directory, new FakeClock());
  const event = { type: 'Noted', at: 1 } as never;
  for (let made = 0; made < count; made++) await events.append(`note-${randomUUID()}`, [{ id: randomUUID(), event }], 'none');
  await engine.close();
}

async function eventsIn(directory: string): Promise<number> {
  const { engine, events } = await openEmbeddedEngine(directory, new FakeClock());
  const head = Number(await events.head());
  await engine.close();
  return head;
}

const restore = (directory = place('data')) => restoreDirectory(directory, place('backup'), [KEY], NOW);

describe('a backup that is restored', () => {
  it('takes the place of what was there, which is kept', async () => {
    expect(restore()).toMatchObject({ kept: place('data', KEPT), files: [] });
    expect(await eventsIn(place('data'))).toBe(1);
    expect(await eventsIn(place('data', KEPT))).toBe(3);
    expect(existsSync(place('backup', 'store.sqlite'))).toBe(true);
  });

  it('takes the log of the store along that it replaces, whole', async () => {
    const killed = openForWriting(place('data', 'store.sqlite'));
    killed.exec("INSERT INTO meta VALUES ('last', 'written')");
    const log = readFileSync(place('data', 'store.sqlite-wal'));
    restore();
    expect(readFileSync(place('data', KEPT, 'store.sqlite-wal')).equals(log)).toBe(true);
    expect(readdirSync(place('data')).filter((name) => name.startsWith('store'))).toEqual(['store.sqlite']);
    expect(await eventsIn(place('data'))).toBe(1);
    killed.close();
  });

  it('is the same where the command was killed before, while it prepared the copy of another backup', async () => {
    await note(place('data'), 40);
    await backUpDirectory(place('data'), place('other'), []);
    const draft = place('data', 'store.sqlite.restored');
    copyFileSync(place('other', 'store.sqlite'), draft);
    const killed = openForWriting(draft);
    killed.exec("CREATE TABLE foreign_rows (name); INSERT INTO meta VALUES ('of', 'the other backup')");
    const files = [draft, `${draft}-wal`].map((file) => ({ file, bytes: readFileSync(file) }));
    killed.close();
    for (const { file, bytes } of files) writeFileSync(file, bytes);
    restore();
    expect(await eventsIn(place('data'))).toBe(1);
    expect(readdirSync(place('data')).filter((name) => name.includes('restored'))).toEqual([]);
  });

  it('takes the place of nothing where no service was ever started, with its key, for its owner only', async () => {
    chmodSync(place('backup', 'store.sqlite'), 0o644);
    expect(restore(place('new', 'data'))).toMatchObject({ kept: null, files: [KEY] });
    const modes = ['store.sqlite', KEY].map((name) => statSync(place('new', 'data', name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    expect(await eventsIn(place('new', 'data'))).toBe(1);
  });

  it('replaces another key by its own, and leaves the key alone where it has none', () => {
    writeFileSync(place('data', KEY), 'another');
    restore();
    expect([place('data', KEY), place('data', KEPT, KEY)].map((file) => readFileSync(file, 'utf8'))).toEqual(['key', 'another']);
    rmSync(place('backup', KEY));
    rmSync(place('data', KEPT), { recursive: true });
    restore();
    expect([existsSync(place('data', KEY)), existsSync(place('data', KEPT, KEY))]).toEqual([true, false]);
  });
});

describe('a restoration is refused, and leaves everything as it is,', () => {
  const contents = () => readdirSync(place('data')).map((name) => [name, readFileSync(place('data', name), 'base64')]);
  function expectRefused(reason: RegExp | (new (...args: never[]) => Error)): void {
    const before = contents();
    expect(() => restore()).toThrow(reason as never);
    expect(contents()).toEqual(before);
  }

  it('where a service runs on the directory', async () => {
    const { engine } = await openEmbeddedEngine(place('data'), new FakeClock());
    expect(() => restore()).toThrow(DataDirectoryInUse);
    await engine.close();
    expect(await eventsIn(place('data'))).toBe(3);
  });

  it('where the backup is damaged', () => {
    const file = openSync(place('backup', 'store.sqlite'), 'r+');
    for (let page = 3; page < 8; page++) writeSync(file, Buffer.alloc(8_192, 0xa5), 0, 8_192, page * 8_192);
    closeSync(file);
    expectRefused(BackupRefused);
  });

  it('where the folder has no backup', () => {
    rmSync(place('backup'), { recursive: true });
    mkdirSync(place('backup'));
    expectRefused(/has no store\.sqlite/);
  });

  it('where the folder is a data directory whose process was killed', () => {
    writeFileSync(place('backup', 'store.sqlite-wal'), 'log');
    expectRefused(/no backup but a data directory/);
  });

  it('where the folder is the data directory itself', () => {
    expect(() => restoreDirectory(place('data'), place('data'), [KEY], NOW)).toThrow(/the data directory itself/);
  });
});
