// First: the bundle may evaluate decorated classes before a later chunk that imports this.
import 'reflect-metadata';

const { runAdmin } = await import('./run-admin.js');
await runAdmin(process.argv.slice(2));
