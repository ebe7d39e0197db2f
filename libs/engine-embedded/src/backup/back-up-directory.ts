import { existsSync } from 'node:fs';
import type { Backup } from '@ports/engine.port';
import { DataDirectoryWithoutStore, DirectoryLock } from '../data-directory.js';
import { refuseForeignLog } from '../writer/refuse-foreign-log.js';
import { storeFile } from '../writer/store-file.js';
import { BackupWriter } from './backup-writer.js';

/** `Engine.backUp` without a running service or an upgrade. Refuses a store beside another's log, and rejects with `EngineNotOpened`. */
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
