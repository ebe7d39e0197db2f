import { Engine, type EnginePart } from '@ports/engine.port';
import type { DirectoryLock } from './data-directory.js';
import type { EmbeddedEventStore } from './event-store.embedded.js';
import type { EmbeddedReadModels } from './read-models.embedded.js';
import type { WriteQueue } from './writer/write-queue.js';
import type { Database } from './sqlite.js';

export interface EngineParts {
  readonly lock: DirectoryLock;
  readonly queue: WriteQueue;
  readonly reader: Database;
  readonly events: EmbeddedEventStore;
  readonly readModels: EmbeddedReadModels;
}

/** One process, one directory: whatever was leased before its start belongs to a dead process. */
export class EmbeddedEngine extends Engine {
  private closing: Promise<void> | undefined;

  constructor(
    private readonly held: EngineParts,
    override readonly leasesVoidBefore: number,
  ) {
    super();
  }

  /** After a failed write a small one tells whether the disk takes them again. */
  async parts(): Promise<readonly EnginePart[]> {
    const { queue } = this.held;
    if (!queue.ready && !this.closing) await queue.ask({ kind: 'probe' }).catch(() => undefined);
    return [{ name: 'store', ready: queue.ready && !this.closing }];
  }

  close(): Promise<void> {
    this.closing ??= this.letGo();
    return this.closing;
  }

  private async letGo(): Promise<void> {
    const { lock, queue, reader, events, readModels } = this.held;
    events.close();
    readModels.close();
    await queue.drained();
    reader.close();
    await queue.close();
    lock.release();
  }
}
