import type { DynamicModule } from '@nestjs/common';
import type { InstanceRole } from '@application/instances/living-instances';
import type { Config } from '@platform/config/config';

/** The servers without which a process cannot serve. */
const NEEDED = {
  gateway: ['EventStoreDB'],
  projections: ['EventStoreDB', 'MongoDB', 'Kafka'],
  delivery: ['EventStoreDB', 'Kafka'],
} as const;

export interface LoadedEngine {
  /** Creates the module, and starts opening the engine. */
  readonly open: () => DynamicModule;
  /** The driver and file that raised a failure; undefined if none did. */
  readonly driverFailure: (failure: unknown) => { readonly server: string; readonly at: string } | undefined;
}

/**
 * Loads only the configured engine: loading other drivers would double the start time.
 * @param existing whether a data directory must exist already
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

export async function loadDirectoryBackup() {
  const { backUpDirectory } = await import('../../engine-embedded/src/backup/back-up-directory.js');
  return backUpDirectory;
}

export async function loadDirectoryRestore() {
  const { restoreDirectory } = await import('../../engine-embedded/src/backup/restore-directory.js');
  return restoreDirectory;
}

/** Shuts this process down as failed. Other processes, or its restart, take over its partitions. */
function end(): void {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}
