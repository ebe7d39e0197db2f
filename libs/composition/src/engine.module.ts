import type { DynamicModule } from '@nestjs/common';
import type { InstanceRole } from '@application/instances/living-instances';
import type { Config } from '@platform/config/config';

/** The servers without which a process cannot serve. Without another one it serves less. */
const NEEDED = {
  gateway: ['EventStoreDB'],
  projections: ['EventStoreDB', 'MongoDB', 'Kafka'],
  delivery: ['EventStoreDB', 'Kafka'],
} as const;

export interface LoadedEngine {
  /** Makes the module, which begins to open the engine at once. */
  readonly open: () => DynamicModule;
  /** Which server's driver made a failure, and in which of its files; undefined where none did. */
  readonly driverFailure: (failure: unknown) => { readonly server: string; readonly at: string } | undefined;
}

/**
 * Loads the engine that the settings name, and no other: loading the drivers of another one would double the time of a start.
 * @param existing whether a data directory must be there already
 */
export async function loadEngine(
  config: Config,
  role: InstanceRole,
  { existing = false }: { readonly existing?: boolean } = {},
): Promise<LoadedEngine> {
  if (config.engine === 'cluster') {
    const { ClusterEngineModule } = await import('../../engine-cluster/src/cluster-engine.module.js');
    const { driverFailure } = await import('../../engine-cluster/src/driver-failure.js');
    const use = { needs: NEEDED[role], ...(role === 'delivery' && { onStalled: end }) };
    return { open: () => ClusterEngineModule.forRoot(config.cluster, use), driverFailure };
  }
  const { EmbeddedEngineModule } = await import('../../engine-embedded/src/embedded-engine.module.js');
  const open = () => EmbeddedEngineModule.forRoot({ directory: config.dataDir, existing });
  return { open, driverFailure: () => undefined };
}

/** Loads the function that copies a data directory on which no service runs. */
export async function loadDirectoryBackup() {
  const { backUpDirectory } = await import('../../engine-embedded/src/backup/back-up-directory.js');
  return backUpDirectory;
}

/** Loads the function that puts a backup in the place of what a data directory holds. */
export async function loadDirectoryRestore() {
  const { restoreDirectory } = await import('../../engine-embedded/src/backup/restore-directory.js');
  return restoreDirectory;
}

/** Shuts this process down as a failed one. Another process, or the next one of a supervisor, takes its partitions over. */
function end(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
