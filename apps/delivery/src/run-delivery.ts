import { startDelivery } from '@composition/startup/start-delivery';
import { runWorker } from '@composition/startup/worker';
import type { OnStarting } from '@composition/startup/run-app';
import { DeliveryAppModule } from './delivery-app.module.js';

const PORT = 3002;

export function runDelivery(onStarting: OnStarting): Promise<void> {
  return runWorker({ role: 'delivery', module: DeliveryAppModule.forRoot, port: PORT, begin: startDelivery }, onStarting);
}
