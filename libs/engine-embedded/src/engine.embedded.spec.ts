import { logUpTo } from '@ports/contracts/note-rows';
import { Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { EventStore, START, StoreUnavailable, StreamMovedOn } from '@ports/event-store.port';
import { ExpiringRecords } from '@ports/expiring-records.port';
import { MessageBus } from '@ports/message-bus.port';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirectoryInUse } from './data-directory.js';
import { EmbeddedEngineModule } from './embedded-engine.module.js';
import { type EmbeddedPorts, openEmbeddedEngine } from './open-embedded-engine.js';
import { connect } from './database.js';

const clock = new FakeClock();

@Global()
@Module({ providers: [{ provide: Clock, useValue: clock }], exports: [Clock] })
class ClockModule {}

const NOTES = { name: 'notes', version: 1, filterFields: ['status'], dueFields: ['dueAt'] };

describe('the embedded engine', () => {
  let directory: string;
  let ports: EmbeddedPorts;

  beforeEach(async () => {
    directory = join(mkdtempSync(join(tmpdir(), 'engine-')), 'made', 'anew');
    ports = await openEmbeddedEngine(directory, clock);
  });

  afterEach(async () => {
    await ports.engine.close();
    rmSync(join(directory, '..', '..'), { recursive: true });
  });

  async function reopen(): Promise<void> {
    await ports.engine.close();
    ports = await openEmbeddedEngine(directory, clock);
  }

  const append = (stream: string, expected: number | 'none', text = 'x') =>
    ports.events.append(stream, [{ id: randomUUID(), event: { type: 'Noted', at: 1, text } as never }], expected);
  const note = (number: number, members: object = {}): StoredRow => {
    const sortId = String(number).padStart(20, '0');
    const row = { status: 'active', ...members };
    return { id: `n${number}`, projectId: 'p', createdAt: number, sortId, position: sortId, deleted: false, row };
  };
  const tables = (): string[] => {
    const db = connect(join(directory, 'store.sqlite'), { busyMs: 0, readOnly: true });
    const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'rows %'").all();
    db.close();
    return (rows as unknown as [string][]).map(([name]) => name);
  };

  it('finds everything again after it was closed', async () => {
    const identity = await ports.events.identity();
    await append('note-1', 'none', 'first');
    const { position } = await append('note-1', 0, 'second');
    await append('note-2', 'none');
    await ports.events.retire('note-2');
    const head = await ports.events.head();
    await ports.readModels.define(NOTES);
    await ports.readModels.apply('notes', [note(1)], position);
    const { record } = await ports.records.create('key', 'value', clock.now() + 1000);
    await ports.bus.declare([{ name: 'topic', partitions: 2 }]);
    await ports.bus.publish('topic', [{ key: 'k', value: 'v' }]);
    await reopen();
    expect(await ports.events.identity()).toBe(identity);
    expect(await ports.events.head()).toBe(head);
    expect((await ports.events.read('note-1')).map(({ revision }) => revision)).toEqual([0, 1]);
    await expect(append('note-2', 'none')).rejects.toBeInstanceOf(StreamMovedOn);
    await ports.readModels.define(NOTES);
    expect(await ports.readModels.checkpoint('notes')).toBe(position);
    expect(await ports.readModels.getMany('notes', ['n1'])).toEqual([note(1)]);
    expect(await ports.records.get('key')).toEqual(record);
    const values = await new Promise((resolve) => {
      void ports.bus.consume('group', ['topic'], ({ value }) => {
        resolve(value);
        return Promise.resolve({ kind: 'accepted', done: Promise.resolve() });
      });
    });
    expect(values).toBe('v');
  });

  it('serves a feed from the file and from memory without a gap or a repetition', async () => {
    for (let index = 0; index < 30; index += 1) await append('note-1', index === 0 ? 'none' : index - 1, `old ${index}`);
    await reopen();
    for (let index = 30; index < 60; index += 1) await append('note-1', index - 1, `new ${index}`);
    const stop = new AbortController();
    const revisions: number[] = [];
    for await (const { events } of ports.events.subscribe(START, { signal: stop.signal })) {
      revisions.push(...events.map(({ revision }) => revision));
      if (revisions.length === 60) stop.abort();
    }
    expect(revisions).toEqual(Array.from({ length: 60 }, (_, index) => index));
  });

  it('gives versions that no earlier opening gave', async () => {
    const { record } = await ports.records.create('key', 'one', clock.now() + 10_000);
    await ports.records.remove('key', record.version);
    await reopen();
    const again = await ports.records.create('key', 'one', clock.now() + 10_000);
    expect(again.record.version).not.toBe(record.version);
  });

  it('makes a record durable no later than an append that follows', async () => {
    void ports.records.create('key', 'value', clock.now() + 10_000);
    await append('note-1', 'none');
    const db = connect(join(directory, 'store.sqlite'), { busyMs: 0, readOnly: true });
    expect(db.prepare('SELECT value FROM expiring_records').all()).toEqual([['value']]);
    db.close();
  });

  it('forgets expired records by and by, without a timer once none is left', async () => {
    for (let index = 0; index < 1200; index += 1) await ports.records.create(`key ${index}`, 'v', clock.now() + 1000);
    for (let turn = 0; turn < 10; turn += 1) await settle();
    await clock.advance(61_000);
    for (let turn = 0; turn < 10; turn += 1) await settle();
    const db = connect(join(directory, 'store.sqlite'), { busyMs: 0, readOnly: true });
    expect(db.prepare('SELECT count(*) FROM expiring_records').get()).toEqual([0]);
    db.close();
    await clock.advance(61_000);
    expect(clock.pending).toBe(0);
  });

  it('knows of rows that it was still making anew how far the log was when they were begun', async () => {
    const log = logUpTo(2);
    await ports.readModels.define(NOTES);
    await ports.readModels.apply('notes', [note(2)], note(2).position);
    const raised = { ...NOTES, version: NOTES.version + 1 };
    await ports.readModels.define(raised, { log });
    await ports.readModels.apply('notes', [note(1)], note(1).position);
    await reopen();
    await ports.readModels.define(raised, { log });
    expect(await ports.readModels.isRestored('notes')).toBe(false);
    await ports.readModels.apply('notes', [note(2)], note(2).position);
    expect(await ports.readModels.isRestored('notes')).toBe(true);
  });

  it('drops what an interrupted rebuild left and keeps the live rows', async () => {
    await ports.readModels.define(NOTES);
    await ports.readModels.apply('notes', [note(1)], note(1).position);
    const rebuild = await ports.readModels.rebuild('notes');
    await rebuild.apply([note(2)], note(2).position);
    expect(tables()).toHaveLength(2);
    await reopen();
    await ports.readModels.define(NOTES);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(tables()).toHaveLength(1);
    expect(await ports.readModels.getMany('notes', ['n1', 'n2'])).toEqual([note(1), null]);
  });

  it('drops what an abandoned rebuild had made', async () => {
    await ports.readModels.define(NOTES);
    const rebuild = await ports.readModels.rebuild('notes');
    await rebuild.apply([note(1)], note(1).position);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    await rebuild.abandon();
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(tables()).toHaveLength(1);
  });

  it('drops the old rows after a switch, a little at a time', async () => {
    await ports.readModels.define(NOTES);
    const rows = Array.from({ length: 3000 }, (_, index) => note(index + 1));
    await ports.readModels.apply('notes', rows, note(3000).position);
    const rebuild = await ports.readModels.rebuild('notes');
    await rebuild.apply(rows, note(3000).position);
    await rebuild.switchOver();
    for (let turn = 0; turn < 40; turn += 1) await settle();
    expect(tables()).toHaveLength(1);
    expect(await ports.readModels.getMany('notes', ['n3000'])).toHaveLength(1);
  });

  it('carries live rows over a switch that happens meanwhile', async () => {
    await ports.readModels.define(NOTES);
    const rebuild = await ports.readModels.rebuild('notes');
    const switching = rebuild.switchOver();
    const applied: Promise<void>[] = [];
    for (let number = 1; number <= 20; number += 1) {
      applied.push(ports.readModels.apply('notes', [note(number)], note(number).position));
      await Promise.resolve();
    }
    await Promise.all([switching, ...applied]);
    await ports.readModels.apply('notes', [note(21)], note(21).position);
    expect(await ports.readModels.checkpoint('notes')).toBe(note(21).position);
    expect((await ports.readModels.getMany('notes', ['n21']))[0]).toEqual(note(21));
  });

  it('admits one opener per directory and names the directory to the other', async () => {
    const refusal = await openEmbeddedEngine(directory, clock).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataDirectoryInUse);
    expect((refusal as Error).message).toContain(directory);
    expect((refusal as Error).message).not.toContain('\n');
    await append('note-1', 'none');
  });

  it('says that leases are void whenever they were stamped, and whether the store is in reach', async () => {
    expect(ports.engine.isShared).toBe(false);
    expect(await ports.engine.parts()).toEqual([{ name: 'store', ready: true, needed: true }]);
    await ports.engine.close();
    expect(await ports.engine.parts()).toEqual([{ name: 'store', ready: false, needed: true }]);
  });

  it('says how much of its disk is free', async () => {
    const disk = await ports.engine.disk();
    expect(disk?.freeBytes).toBeGreaterThan(0);
    expect(disk?.totalBytes).toBeGreaterThanOrEqual(disk?.freeBytes ?? Infinity);
  });

  it('lets go of everybody when it closes, and closes once', async () => {
    await ports.readModels.define(NOTES);
    const stop = new AbortController();
    const feed = ports.events.subscribe(START, { signal: stop.signal })[Symbol.asyncIterator]();
    const next = feed.next().catch((error: unknown) => error);
    const changed = ports.events.changed('note-1', 'none');
    const reached = ports.readModels.reached('notes', note(9).position, 60_000);
    const pending = append('note-2', 'none');
    await Promise.all([ports.engine.close(), ports.engine.close()]);
    expect(await next).toBeInstanceOf(StoreUnavailable);
    expect(await reached).toBe(false);
    expect(await pending).toMatchObject({ revision: 0 });
    await changed;
    await expect(append('note-1', 'none')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(ports.events.read('note-1')).rejects.toBeInstanceOf(StoreUnavailable);
    expect(statSync(join(directory, 'store.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it('is provided by its module, which needs nothing but a clock', async () => {
    await ports.engine.close();
    const module = await Test.createTestingModule({
      imports: [ClockModule, EmbeddedEngineModule.forRoot({ directory })],
    }).compile();
    for (const port of [EventStore, ReadModels, ExpiringRecords, MessageBus, Engine]) {
      expect(module.get<object>(port)).toBeInstanceOf(port);
    }
    await module.close();
    expect(await module.get(Engine).parts()).toEqual([{ name: 'store', ready: true, needed: true }]);
    await module.get(Engine).close();
  });
});
