import { join } from 'node:path';
import type { Clock } from '@ports/clock.port';
import type { ExpiringRecords } from '@ports/expiring-records.port';
import type { ReadModels } from '@ports/read-models.port';
import type { RowView } from '@engine-embedded/rows/row-views';

export interface FolderPorts {
  readonly readModels: ReadModels;
  readonly records: ExpiringRecords;
  /** Leaves one SQLite file with these views. */
  close(views: readonly RowView[]): Promise<void>;
}

/** Opens a folder, creating it if missing. Rejects with `EngineNotOpened`. */
export async function openFolder(folder: string, clock: Clock): Promise<FolderPorts> {
  const { DirectoryLock } = await import('../../../../libs/engine-embedded/src/data-directory.js');
  const { openEmbeddedEngine } = await import('../../../../libs/engine-embedded/src/open-embedded-engine.js');
  const { writeRowViews } = await import('../../../../libs/engine-embedded/src/rows/row-views.js');
  const { completeFile } = await import('../../../../libs/engine-embedded/src/complete-file.js');
  // The engine's own lock ends with the engine, before the views are written.
  const lock = DirectoryLock.take(join(folder, '.lock'));
  const { readModels, records, engine } = await openEmbeddedEngine(folder, clock).catch((error: unknown) => {
    lock.release();
    throw error;
  });
  const close = async (views: readonly RowView[]) => {
    await engine.close();
    writeRowViews(folder, views);
    completeFile(folder);
    lock.release();
  };
  return { readModels, records, close };
}
