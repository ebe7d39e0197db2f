import { existsSync } from 'node:fs';
import type { Backup } from '@ports/engine.port';
import { DataDirectoryWithoutStore, DirectoryLock } from '../data-directory.js';
import { refuseForeignLog } from '../writer/refuse-foreign-log.js';
import { storeFile } from '../writer/store-file.js';
import { BackupWriter } from './backup-writer.js';

/**
 * Copies a data directory that no service runs on, as `Engine.backUp` does, and leaves it as it is: an older layout is not
 * brought up to date. A store beside the log of another one is refused, as at a start. Rejects with an `EngineNotOpened` as well.
 */
export async function backUpDirectory(directory: string, folder: string, files: readonly string[]): Promise<Backup> {
  if (!existsSync(storeFile(directory))) throw new DataDirectoryWithoutStore(directory);
  const lock = DirectoryLock.take(directory);
  try {
    refuseForeignLog(storeFile(directory));
    return await new BackupWriter(directory).write(folder, files);
  } finally {
    lock.release();
  }
}
