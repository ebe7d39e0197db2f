import { Clock } from '@ports/clock.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { BackupWriter } from './backup/backup-writer.js';
import { DataDirectoryUnusable, DataDirectoryWithoutStore, DirectoryLock } from './data-directory.js';
import type { Reading } from './database.js';
import { EmbeddedEngine } from './engine.embedded.js';
import { EmbeddedEventStore, type LogNotices } from './events/event-store.embedded.js';
import { storedHead } from './events/event-writes.js';
import { StoredEvents } from './events/stored-events.js';
import { EmbeddedExpiringRecords } from './records/expiring-records.embedded.js';
import { PendingRecords } from './records/pending-records.js';
import { StoredRecords } from './records/stored-records.js';
import { EmbeddedReadModels, type RowNotices } from './rows/read-models.embedded.js';
import { type Coordination, EmbeddedMessageBus } from './topics/message-bus.embedded.js';
import { StoreReader } from './store-reader.js';
import { InlineWriter } from './writer/inline-writer.js';
import { refuseForeignLog } from './writer/refuse-foreign-log.js';
import { openForReading, storeFile } from './writer/store-file.js';
import { WorkerWriter } from './writer/worker-writer.js';
import { WriteQueue } from './writer/write-queue.js';
import type { WriterThread } from './writer/writer-thread.js';

export interface EmbeddedAdapters {
  readonly events: EmbeddedEventStore;
  readonly readModels: EmbeddedReadModels;
  readonly records: EmbeddedExpiringRecords;
  readonly bus: EmbeddedMessageBus;
}

export interface EmbeddedPorts extends EmbeddedAdapters {
  readonly engine: EmbeddedEngine;
  readonly store: OpenStore;
}

export interface OpenStore {
  readonly clock: Clock;
  readonly queue: WriteQueue;
  readonly reader: Reading;
  readonly identity: string;
  readonly leftovers: boolean;
  readonly pendingRecords: PendingRecords;
  readonly logNotices: EventEmitter<LogNotices>;
  readonly rowNotices: EventEmitter<RowNotices>;
  readonly coordination: Coordination;
}

/** A worker needs compiled code; under a test runner the writer runs on this thread. */
const COMPILED = import.meta.url.endsWith('.js');

export interface OpenedDirectory {
  readonly lock: DirectoryLock;
  readonly writer: WriterThread;
  readonly file: string;
  readonly directory: string;
}

/** Opens a data directory, creating it if missing. Rejects with `DataDirectoryInUse` or `DataDirectoryUnusable`. */
export async function openEmbeddedEngine(directory: string, clock: Clock): Promise<EmbeddedPorts> {
  return portsOf(await open(directory), clock);
}

/** Step one of `openEmbeddedEngine`; step two is `portsOf`. The promise may be awaited after it has rejected. */
export function startOpening(directory: string, existing = false): Promise<OpenedDirectory> {
  const opening = open(directory, existing);
  opening.catch(() => undefined);
  return opening;
}

async function open(directory: string, existing = false): Promise<OpenedDirectory> {
  if (existing && !existsSync(storeFile(directory))) throw new DataDirectoryWithoutStore(directory);
  const lock = DirectoryLock.take(directory);
  try {
    const file = storeFile(directory);
    refuseForeignLog(file);
    return { lock, file, directory, writer: await (COMPILED ? WorkerWriter.open(file) : InlineWriter.open(file)) };
  } catch (error) {
    lock.release();
    throw new DataDirectoryUnusable(directory, error);
  }
}

/** The ports over an opened directory, which is released if this throws. */
export function portsOf(opened: OpenedDirectory, clock: Clock): EmbeddedPorts {
  try {
    return assemble(opened, clock);
  } catch (error) {
    opened.lock.release();
    throw error instanceof StoreUnavailable ? new DataDirectoryUnusable(opened.directory, error) : error;
  }
}

function assemble({ lock, writer, file, directory }: OpenedDirectory, clock: Clock): EmbeddedPorts {
  const { identity, opening, leftovers } = writer.opened;
  const queue = new WriteQueue(writer, clock);
  const reader = new StoreReader(openForReading(file), (reason) => queue.condemn(reason));
  const store: OpenStore = {
    clock,
    queue,
    reader,
    identity,
    leftovers,
    pendingRecords: new PendingRecords(queue, new StoredRecords(reader), clock, opening),
    logNotices: new EventEmitter<LogNotices>(),
    rowNotices: new EventEmitter<RowNotices>(),
    coordination: { topics: new Map(), groups: new Map() },
  };
  const adapters = adaptersOver(store);
  const backups = new BackupWriter(directory);
  return { ...adapters, store, engine: new EmbeddedEngine({ ...adapters, directory, clock, lock, queue, reader, backups }) };
}

/** Adapters with their own caches, which learn of others' writes once committed: what another process is on an engine with servers. */
export function adaptersOver(store: OpenStore): EmbeddedAdapters {
  const { clock, queue, reader, identity, leftovers, logNotices, rowNotices, coordination } = store;
  return {
    events: new EmbeddedEventStore(queue, new StoredEvents(reader), identity, clock, storedHead(reader), logNotices),
    readModels: new EmbeddedReadModels(queue, reader, clock, leftovers, rowNotices),
    records: new EmbeddedExpiringRecords(store.pendingRecords),
    bus: new EmbeddedMessageBus(queue, reader, clock, coordination),
  };
}
