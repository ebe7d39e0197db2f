import { statfsSync, statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type Backup, BackupFailed, BackupRefused } from '@ports/engine.port';
import { storeFile } from '../writer/store-file.js';
import { openBackupFolder } from './backup-folder.js';
import { copyStore, type StoreCopy } from './copy-store.js';
import type { CopyAnswer } from './copy.worker.js';

/** A worker needs compiled code; under a test runner the copy runs on this thread. */
const COMPILED = import.meta.url.endsWith('.js');

const MIB = 1_048_576;
/** Left free by a copy: the service itself writes to the same disk. */
const LEFT_FREE_MIB = 64;

export class BackupWriter {
  private readonly workers = new Set<Worker>();
  private closed = false;

  /** @param freeBytes the free space of a folder */
  constructor(
    private readonly directory: string,
    private readonly freeBytes = roomIn,
  ) {}

  async write(folder: string, files: readonly string[]): Promise<Backup> {
    if (this.closed) throw new BackupRefused('The service is stopping.');
    const opened = openBackupFolder(folder, this.directory, files);
    try {
      this.refuseIfFull(folder);
      const bytes = await this.copy({ from: storeFile(this.directory), to: opened.draft });
      opened.finish();
      return { folder, bytes };
    } catch (error) {
      opened.discard();
      if (error instanceof BackupRefused) throw error;
      throw new BackupFailed(`The backup could not be finished and was removed: ${(error as Error).message}.`);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.workers].map((worker) => worker.terminate()));
  }

  private refuseIfFull(folder: string): void {
    const store = storeFile(this.directory);
    const needed = bytesOf(store) + bytesOf(`${store}-wal`) + LEFT_FREE_MIB * MIB;
    const free = this.freeBytes(folder);
    if (free >= needed) return;
    const numbers = `${mib(free)} MiB are free and ${mib(needed)} MiB needed, of which ${LEFT_FREE_MIB} stay free`;
    throw new BackupRefused(`The disk of ${folder} has too little room: ${numbers}.`);
  }

  private copy(copy: StoreCopy): Promise<number> {
    if (!COMPILED) return copyStore(copy);
    const worker = new Worker(new URL('./copy.worker.js', import.meta.url), { workerData: copy });
    this.workers.add(worker);
    const copied = new Promise<number>((resolve, reject) => {
      worker.on('message', (answer: CopyAnswer) => {
        if (typeof answer === 'number') resolve(answer);
        else reject(new Error(answer.failure));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new Error('the service was stopped meanwhile')));
    });
    return copied.finally(() => this.workers.delete(worker));
  }
}

function roomIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function bytesOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function mib(bytes: number): number {
  return Math.ceil(bytes / MIB);
}
