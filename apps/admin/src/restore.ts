import { SystemClock } from '@adapters/clock.system';
import { loadDirectoryRestore } from '@composition/engine.module';
import { configOfProcess } from '@platform/config/config-of-process';
import { KEY_FILE } from '@platform/config/installation-key';
import { EngineInUse } from '@ports/engine.port';

/** Restores the backup at `folder` (an absolute path) into `DATA_DIR`; the service must be stopped. Resolves to the line to print. */
export async function restore(folder: string): Promise<string> {
  const { engine, dataDir } = configOfProcess();
  if (engine === 'cluster') throw new Error('With ENGINE=cluster, restore EventStoreDB with its own tools.');
  try {
    const restoreDirectory = await loadDirectoryRestore();
    const { bytes, kept, files } = restoreDirectory(dataDir, folder, [KEY_FILE], new SystemClock().now());
    return [
      `Restored ${folder} into ${dataDir}: ${(bytes / 1e6).toFixed(1)} MB, checked.`,
      ...files.map((file) => `The ${file} of the backup is in place too.`),
      ...(kept === null ? [] : [`What was there is kept in ${kept}: remove it once all is well.`]),
      'Start with WEBHOOK_DELIVERY=hold first: else every webhook that is overdue is sent at once.\n',
    ].join('\n');
  } catch (error) {
    if (error instanceof EngineInUse) throw new Error(`${error.message}: stop the service first, then restore`, { cause: error });
    throw error;
  }
}
