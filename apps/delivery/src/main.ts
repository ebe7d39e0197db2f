// Imported before all else: the bundle may evaluate classes with decorators before a chunk that imports this.
import 'reflect-metadata';
import { atFirstSignal } from '@platform/operations/at-first-signal';

/** Loading the modules takes most of a start; a signal that arrives meanwhile only has to exit the process. */
let shutDown = (_signal: NodeJS.Signals): void => process.exit(0);
atFirstSignal((signal) => shutDown(signal));

const { runDelivery } = await import('./run-delivery.js');
await runDelivery((shutDownAndExit) => (shutDown = shutDownAndExit));
