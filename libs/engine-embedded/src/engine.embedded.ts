import { EVER, Engine, type EnginePart } from '@ports/engine.port';
import type { DirectoryLock } from './data-directory.js';
import type { EmbeddedEventStore } from './event-store.embedded.js';
import type { EmbeddedMessageBus } from './message-bus.embedded.js';
import type { EmbeddedReadModels } from './read-models.embedded.js';
import type { StoredRecords } from './stored-records.js';
import type { WriteQueue } from './writer/write-queue.js';
import type { Database } from './sqlite.js';

export interface EngineParts {
  readonly lock: DirectoryLock;
  readonly queue: WriteQueue;
  readonly reader: Database;
  readonly events: EmbeddedEventStore;
  readonly readModels: EmbeddedReadModels;
  readonly records: StoredRecords;
  readonly bus: EmbeddedMessageBus;
}

/** One process, one directory: whatever is leased and not in its hands belongs to a dead process. */
export class EmbeddedEngine extends Engine {
  readonly leasesVoidBefore = EVER;
  private closing: Promise<void> | undefined;
  private probing = false;

  constructor(private readonly held: EngineParts) {
    super();
  }

  parts(): Promise<readonly EnginePart[]> {
    const { queue } = this.held;
    const ready = queue.ready && !this.closing;
    if (!ready) this.probe();
    return Promise.resolve([{ name: 'store', ready }]);
  }

  close(): Promise<void> {
    this.closing ??= this.letGo();
    return this.closing;
  }

  /** A small write tells whether the disk takes them again: the next question has the answer. */
  private probe(): void {
    if (this.probing || this.closing) return;
    this.probing = true;
    this.held.queue.send({ kind: 'probe' }, () => (this.probing = false));
  }

  private async letGo(): Promise<void> {
    const { lock, queue, reader, events, readModels, records, bus } = this.held;
    events.close();
    readModels.close();
    bus.close();
    records.close();
    await queue.drained();
    reader.close();
    await queue.close();
    lock.release();
  }
}
