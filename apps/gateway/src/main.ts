// Must be the first import: the bundle may evaluate decorated classes before another chunk that imports it.
import 'reflect-metadata';
import { atFirstSignal } from '@platform/operations/at-first-signal';

/** Until the modules are loaded, a signal only has to exit the process. */
let shutDown = (_signal: NodeJS.Signals): void => process.exit(0);
atFirstSignal((signal) => shutDown(signal));

const { runGateway } = await import('./gateway.js');
await runGateway((shutDownAndExit) => (shutDown = shutDownAndExit), process.argv.includes('--alone'));
