// First: the bundle may evaluate decorated classes before a later chunk that imports this.
import 'reflect-metadata';
import { atFirstSignal } from '@platform/operations/at-first-signal';

/** A signal that arrives while the modules load only exits the process. */
let shutDown = (_signal: NodeJS.Signals): void => process.exit(0);
atFirstSignal((signal) => shutDown(signal));

const { runDelivery } = await import('./run-delivery.js');
await runDelivery((shutDownAndExit) => (shutDown = shutDownAndExit));
