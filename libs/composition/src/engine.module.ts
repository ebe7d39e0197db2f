import type { DynamicModule } from '@nestjs/common';
import type { Config } from '@platform/config/config';

/** The module of the engine that the settings name. Only that one is loaded: the drivers of another would double a start. */
export async function engineModule(config: Config): Promise<DynamicModule> {
  const { EmbeddedEngineModule } = await import('../../engine-embedded/src/embedded-engine.module.js');
  return EmbeddedEngineModule.forRoot({ directory: config.dataDir });
}
