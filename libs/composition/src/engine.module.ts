import type { DynamicModule } from '@nestjs/common';
import type { Config } from '@platform/config/config';

/**
 * Loads the engine that the settings name, and no other: the drivers of another would double a start. The function that it
 * resolves to makes the module, which begins to open the engine at once.
 */
export async function loadEngine(config: Config): Promise<() => DynamicModule> {
  const { EmbeddedEngineModule } = await import('../../engine-embedded/src/embedded-engine.module.js');
  return () => EmbeddedEngineModule.forRoot({ directory: config.dataDir });
}
