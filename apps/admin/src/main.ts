// Imported before all else: the bundle may evaluate classes with decorators before a chunk that imports this.
import 'reflect-metadata';

const { runAdmin } = await import('./run-admin.js');
await runAdmin(process.argv.slice(2));
