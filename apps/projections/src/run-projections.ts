import { runWorker } from '@composition/startup/worker';
import type { OnStarting } from '@composition/startup/run-app';
import { ProjectionsAppModule } from './projections-app.module.js';

const PORT = 3001;

/** Runs the projections, reactors and sweeps in this process; see `runApp`. */
export function runProjections(onStarting: OnStarting): Promise<void> {
  const module = (...given: Parameters<typeof ProjectionsAppModule.forRoot>) => ProjectionsAppModule.forRoot(...given);
  return runWorker({ role: 'projections', module, port: PORT }, onStarting);
}
