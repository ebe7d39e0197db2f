import { loadDirectoryBackup } from '@composition/engine.module';
import { configOfProcess } from '@platform/config/config-of-process';
import { keyFiles } from '@platform/config/installation-key';
import { EngineInUse } from '@ports/engine.port';

/** Copies the data directory of a stopped service to an absolute path. Resolves to the bytes. */
export async function backUp(folder: string, withKey: boolean): Promise<number> {
  const config = configOfProcess();
  if (config.engine === 'cluster')
    throw new Error('No service answers. With ENGINE=cluster, back up EventStoreDB with its own tools.');
  try {
    const backUpDirectory = await loadDirectoryBackup();
    const { bytes } = await backUpDirectory(config.dataDir, folder, withKey ? keyFiles(config) : []);
    return bytes;
  } catch (error) {
    if (error instanceof EngineInUse)
      throw new Error(`${error.message}, at another address: name it with --url`, { cause: error });
    throw error;
  }
}
