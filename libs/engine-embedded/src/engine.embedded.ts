import { statfs } from 'node:fs/promises';
import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { type Backup, type Disk, Engine, type EnginePart } from '@ports/engine.port';
import type { BackupWriter } from './backup/backup-writer.js';
import type { DirectoryLock } from './data-directory.js';
import type { Reading } from './database.js';
import type { EmbeddedEventStore } from './events/event-store.embedded.js';
import type { EmbeddedReadModels } from './rows/read-models.embedded.js';
import type { EmbeddedMessageBus } from './topics/message-bus.embedded.js';
import type { WriteQueue } from './writer/write-queue.js';

/** After this time without a write the disk is probed. */
const PROBED_AFTER_MS = 5_000;
const PROBED_WITHIN_MS = 1_000;

export interface EngineParts {
  readonly clock: Clock;
  readonly directory: string;
  readonly lock: DirectoryLock;
  readonly queue: WriteQueue;
  readonly reader: Reading;
  readonly events: EmbeddedEventStore;
  readonly readModels: EmbeddedReadModels;
  readonly bus: EmbeddedMessageBus;
  readonly backups: BackupWriter;
}

/** One process owns the directory: a lease of another belongs to a dead one. */
export class EmbeddedEngine extends Engine {
  readonly isShared = false;
  private closing: Promise<void> | undefined;
  private probing: Promise<void> | null = null;

  constructor(private readonly held: EngineParts) {
    super();
  }

  async parts(): Promise<readonly EnginePart[]> {
    const { queue, clock } = this.held;
    if (queue.ready && queue.quietMs >= PROBED_AFTER_MS) await inTime(clock, PROBED_WITHIN_MS, this.probe());
    const ready = queue.ready && !this.closing;
    if (!ready) void this.probe();
    return [{ name: 'store', ready, needed: true }];
  }

  async disk(): Promise<Disk> {
    const { bavail, blocks, bsize } = await statfs(this.held.directory);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  }

  backUp(folder: string, files: readonly string[]): Promise<Backup> {
    return this.held.backups.write(folder, files);
  }

  close(): Promise<void> {
    this.closing ??= this.letGo();
    return this.closing;
  }

  /** Resolves when a small write was stored or refused, which tells whether the disk works. */
  private probe(): Promise<void> {
    if (this.closing) return Promise.resolve();
    this.probing ??= new Promise<void>((resolve) => this.held.queue.send({ kind: 'probe' }, () => resolve())).finally(
      () => (this.probing = null),
    );
    return this.probing;
  }

  private async letGo(): Promise<void> {
    const { lock, queue, reader, events, readModels, bus, backups } = this.held;
    await backups.close();
    events.close();
    readModels.close();
    bus.close();
    await queue.drained();
    reader.close();
    await queue.close();
    lock.release();
  }
}
