// First: the bundle may evaluate decorated classes before a later chunk that imports this.
import 'reflect-metadata';

const { runWorkbench } = await import('./run-workbench.js');
await runWorkbench(process.argv.slice(2));
