import { startDelivery } from '@composition/startup/start-delivery';
import { runWorker } from '@composition/startup/worker';
import type { OnStarting } from '@composition/startup/run-app';
import { DeliveryAppModule } from './delivery-app.module.js';

const PORT = 3002;

/** Runs the delivery consumer in this process; see `runApp`. */
export function runDelivery(onStarting: OnStarting): Promise<void> {
  const module = (...given: Parameters<typeof DeliveryAppModule.forRoot>) => DeliveryAppModule.forRoot(...given);
  return runWorker({ role: 'delivery', module, port: PORT, begin: startDelivery }, onStarting);
}
