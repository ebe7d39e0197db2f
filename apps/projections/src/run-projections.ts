import { declareTopics } from '@composition/startup/start-delivery';
import { runWorker } from '@composition/startup/worker';
import type { OnStarting } from '@composition/startup/run-app';
import { ProjectionsAppModule } from './projections-app.module.js';

const PORT = 3001;

export function runProjections(onStarting: OnStarting): Promise<void> {
  return runWorker({ role: 'projections', module: ProjectionsAppModule.forRoot, port: PORT, begin: declareTopics }, onStarting);
}
