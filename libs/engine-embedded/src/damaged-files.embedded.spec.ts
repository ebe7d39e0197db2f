import { StoreDamaged } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { randomUUID } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backUpDirectory } from './backup/back-up-directory.js';
import { DataDirectoryUnusable } from './data-directory.js';
import { connect } from './database.js';
import { type EmbeddedPorts, openEmbeddedEngine } from './open-embedded-engine.js';
import { openForWriting, storeFile } from './writer/store-file.js';
import { StoreWriter } from './writer/store-writer.js';

const clock = new FakeClock();
let folder: string;
const place = (name: string) => join(folder, name);
const store = (name: string) => storeFile(place(name));

beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'files-'))));
afterEach(() => rmSync(folder, { recursive: true }));

class Service {
  private constructor(
    readonly directory: string,
    private readonly writer: StoreWriter,
  ) {}

  static start(name: string): Service {
    copyFileSync('/dev/null', place(`${name}.log`));
    const writer = new StoreWriter(openForWriting(place(`${name}.store`)));
    writer.open();
    return new Service(place(name), writer);
  }

  get file(): string {
    return `${this.directory}.store`;
  }

  note(count: number): void {
    for (let made = 0; made < count; made++) {
      const stream = `note-${randomUUID()}`;
      const body = JSON.stringify({ type: 'Noted', at: 1, text: 'x'.repeat(2_000) });
      this.writer.commit([{ kind: 'append', stream, expected: -1, ids: [randomUUID()], bodies: [body], metadata: [null] }]);
    }
  }

  checkpoint(): void {
    this.writer.checkpoint();
  }

  end(): void {
    this.writer.close();
  }
}

async function killed({ file }: Service, name: string): Promise<string> {
  const ports = await openEmbeddedEngine(place(name), clock);
  await ports.engine.close();
  rmSync(store(name));
  copyFileSync(file, store(name));
  copyFileSync(`${file}-wal`, `${store(name)}-wal`);
  return place(name);
}

async function backUp(directory: string, name: string): Promise<string> {
  const ports = await openEmbeddedEngine(directory, clock);
  await ports.engine.backUp(place(name), []);
  await ports.engine.close();
  return store(name);
}

const bytesOf = (file: string) => readFileSync(file).toString('base64');

async function startOn(directory: string): Promise<number> {
  const { engine, events } = await openEmbeddedEngine(directory, clock);
  const head = Number(await events.head());
  await engine.close();
  return head;
}

describe('a store and a log', () => {
  let service: Service;
  beforeEach(() => (service = Service.start('service')));
  afterEach(() => service.end());

  it('that a killed process left are opened, wherever its checkpoints were', async () => {
    let events = 0;
    for (const count of [1, 50, 3]) {
      service.note(count);
      events += count;
      expect(await startOn(await killed(service, `before ${count}`))).toBe(events);
      service.checkpoint();
      expect(await startOn(await killed(service, `after ${count}`))).toBe(events);
    }
  });

  it.each([
    ['made a moment before', 0],
    ['made long before', 40],
  ])('are refused where a backup took the place of the store: %s', async (_, later) => {
    service.note(20);
    service.checkpoint();
    service.note(5);
    const copy = await backUp(await killed(service, 'then'), 'copy');
    service.note(later);
    const directory = await killed(service, 'now');
    copyFileSync(copy, store('now'));
    const log = bytesOf(`${store('now')}-wal`);
    const start = startOn(directory);
    await expect(start).rejects.toThrow(DataDirectoryUnusable);
    await expect(start).rejects.toThrow(`${store('now')} and ${store('now')}-wal do not belong together`);
    await expect(backUpDirectory(directory, place('mixed'), [])).rejects.toThrow('do not belong together');
    expect([bytesOf(store('now')), bytesOf(`${store('now')}-wal`)]).toEqual([bytesOf(copy), log]);
    rmSync(`${store('now')}-wal`);
    expect(await startOn(directory)).toBe(25);
  });

  it('are refused where a backup of an earlier version, which has no mark, took the place of the store', async () => {
    service.note(20);
    service.checkpoint();
    service.note(5);
    const copy = await backUp(await killed(service, 'then'), 'copy');
    const db = connect(copy, { busyMs: 0 });
    db.exec("DELETE FROM meta WHERE name = 'log_mark'");
    db.close();
    service.note(1);
    const directory = await killed(service, 'now');
    copyFileSync(copy, store('now'));
    await expect(startOn(directory)).rejects.toThrow('do not belong together');
  });

  it('are refused where an older state of the store itself took its place', async () => {
    service.note(20);
    service.checkpoint();
    copyFileSync(service.file, place('older'));
    for (let times = 0; times < 2; times++) {
      service.note(20);
      service.checkpoint();
    }
    service.note(1);
    const directory = await killed(service, 'now');
    copyFileSync(place('older'), store('now'));
    await expect(startOn(directory)).rejects.toThrow('do not belong together');
  });

  it('are refused where the log is that of another store', async () => {
    const other = Service.start('other');
    for (const one of [service, other]) {
      one.note(20);
      one.checkpoint();
      one.note(5);
    }
    const directory = await killed(service, 'now');
    copyFileSync(`${other.file}-wal`, `${store('now')}-wal`);
    other.end();
    await expect(startOn(directory)).rejects.toThrow(`${store('now')}-wal`);
  });

  it('are refused where the store is gone, as the start of a new one would destroy the log', async () => {
    service.note(5);
    const directory = await killed(service, 'now');
    rmSync(store('now'));
    await expect(startOn(directory)).rejects.toThrow('do not belong together');
    expect(statSync(`${store('now')}-wal`).size).toBeGreaterThan(0);
  });

  it.each([
    ['an earlier version', "DELETE FROM meta WHERE name = 'probe'"],
    ['the first start of this version', "INSERT INTO meta VALUES ('log_mark', '11111111111111111111111111111111 none')"],
  ])('that %s left without a mark in the store are opened', async (_, sql) => {
    service.note(20);
    const directory = await killed(service, 'now');
    const db = connect(store('now'), { busyMs: 0 });
    db.exec("PRAGMA wal_autocheckpoint = 0; DELETE FROM meta WHERE name = 'log_mark'; INSERT INTO meta VALUES ('probe', 1)");
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.exec(sql);
    const files = [store('now'), `${store('now')}-wal`].map((file) => ({ file, bytes: readFileSync(file) }));
    db.close();
    for (const { file, bytes } of files) writeFileSync(file, bytes);
    expect(await startOn(directory)).toBe(20);
  });

  it('are not called foreign where the disk cannot read them now', async () => {
    service.note(4);
    service.checkpoint();
    service.note(1);
    const directory = await killed(service, 'now');
    rmSync(`${store('now')}-shm`, { force: true });
    symlinkSync(place('nothing'), `${store('now')}-shm`);
    const start = startOn(directory);
    await expect(start).rejects.toThrow(DataDirectoryUnusable);
    await expect(start).rejects.not.toThrow('do not belong together');
    rmSync(`${store('now')}-shm`);
    expect(await startOn(directory)).toBe(5);
  });

  it('that a first start left when it was killed before its first commit are opened', async () => {
    const directory = await killed(service, 'now');
    truncateSync(`${store('now')}-wal`, 10_000);
    expect(await startOn(directory)).toBe(0);
  });
});

describe('a store that cannot be read', () => {
  it('is refused in one line that names it', async () => {
    await startOn(place('now'));
    writeFileSync(store('now'), 'damaged'.repeat(10_000));
    const start = startOn(place('now'));
    await expect(start).rejects.toThrow(DataDirectoryUnusable);
    await expect(start).rejects.toThrow(new RegExp(`^DATA_DIR: .*${store('now')} cannot be read .*--restore <folder>$`));
  });

  describe('once a read has found it damaged', () => {
    let ports: EmbeddedPorts;
    const append = () => ports.events.append(`note-${randomUUID()}`, [{ id: randomUUID(), event: noted }], 'none');
    const noted = { type: 'Noted', at: 1, text: 'x'.repeat(2_000) } as never;

    beforeEach(async () => {
      ports = await openEmbeddedEngine(place('now'), clock);
      for (let made = 0; made < 200; made++) await append();
      await ports.engine.close();
      damage(store('now'));
      ports = await openEmbeddedEngine(place('now'), clock);
    });
    afterEach(() => ports.engine.close());

    it('fails in readiness, and acknowledges nothing any more', async () => {
      expect(await ports.engine.parts()).toEqual([{ name: 'store', ready: true, needed: true }]);
      const feed = ports.events.subscribe('0'.repeat(20), { signal: new AbortController().signal });
      await expect(feed[Symbol.asyncIterator]().next()).rejects.toThrow(StoreDamaged);
      expect(await ports.engine.parts()).toEqual([{ name: 'store', ready: false, needed: true }]);
      await expect(append()).rejects.toThrow(/the store is damaged/);
      await expect(ports.records.create('key', 'value', clock.now() + 1_000)).rejects.toThrow(/the store is damaged/);
    });
  });
});

function damage(file: string): void {
  const pages = Math.floor(statSync(file).size / 8_192);
  const handle = openSync(file, 'r+');
  for (let page = pages - 30; page < pages - 10; page++) writeSync(handle, Buffer.alloc(8_192, 0xa5), 0, 8_192, page * 8_192);
  closeSync(handle);
}
