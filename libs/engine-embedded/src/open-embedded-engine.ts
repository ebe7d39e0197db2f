import { Clock } from '@ports/clock.port';
import { DataDirectoryUnusable, DirectoryLock } from './data-directory.js';
import { EmbeddedEngine } from './engine.embedded.js';
import { EmbeddedEventStore } from './events/event-store.embedded.js';
import { EmbeddedExpiringRecords } from './records/expiring-records.embedded.js';
import { EmbeddedMessageBus } from './topics/message-bus.embedded.js';
import { EmbeddedReadModels } from './rows/read-models.embedded.js';
import { StoredEvents } from './events/stored-events.js';
import { StoredRecords } from './records/stored-records.js';
import { InlineWriter } from './writer/inline-writer.js';
import { openForReading, storeFile } from './writer/store-file.js';
import { WorkerWriter } from './writer/worker-writer.js';
import { WriteQueue } from './writer/write-queue.js';
import type { WriterThread } from './writer/writer-thread.js';

export interface EmbeddedPorts {
  readonly events: EmbeddedEventStore;
  readonly readModels: EmbeddedReadModels;
  readonly records: EmbeddedExpiringRecords;
  readonly bus: EmbeddedMessageBus;
  readonly engine: EmbeddedEngine;
}

/** Only compiled code can be started as a worker; under a test runner the writer stays in this thread. */
const COMPILED = import.meta.url.endsWith('.js');

/** A data directory that is this process's own, with its writer at work. */
export interface OpenedDirectory {
  readonly lock: DirectoryLock;
  readonly writer: WriterThread;
  readonly file: string;
}

/** Opens a data directory for this process, making it when it is not there; a service does so in two steps. Throws `DataDirectoryInUse` or `DataDirectoryUnusable`. */
export async function openEmbeddedEngine(directory: string, clock: Clock): Promise<EmbeddedPorts> {
  return portsOf(await open(directory), clock);
}

/** The same in two steps; whether the first failed is known to who awaits it, at any time later. */
export function startOpening(directory: string): Promise<OpenedDirectory> {
  const opening = open(directory);
  opening.catch(() => undefined);
  return opening;
}

async function open(directory: string): Promise<OpenedDirectory> {
  const lock = DirectoryLock.take(directory);
  try {
    const file = storeFile(directory);
    return { lock, file, writer: await (COMPILED ? WorkerWriter.open(file) : InlineWriter.open(file)) };
  } catch (error) {
    lock.release();
    throw new DataDirectoryUnusable(directory, error);
  }
}

/** The ports over an opened directory, which is let go of when they cannot be made. */
export function portsOf(opened: OpenedDirectory, clock: Clock): EmbeddedPorts {
  try {
    return assemble(opened, clock);
  } catch (error) {
    opened.lock.release();
    throw error;
  }
}

function assemble({ lock, writer, file }: OpenedDirectory, clock: Clock): EmbeddedPorts {
  const { identity, head, opening, leftovers } = writer.opened;
  const queue = new WriteQueue(writer, clock);
  const reader = openForReading(file);
  const events = new EmbeddedEventStore(queue, new StoredEvents(reader), identity, clock, head);
  const readModels = new EmbeddedReadModels(queue, reader, clock, leftovers);
  const bus = new EmbeddedMessageBus(queue, reader, clock);
  const records = new StoredRecords(reader);
  return {
    events,
    readModels,
    records: new EmbeddedExpiringRecords(queue, records, clock, opening),
    bus,
    engine: new EmbeddedEngine({ clock, lock, queue, reader, events, readModels, records, bus }),
  };
}
