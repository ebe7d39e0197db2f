// Preloaded into a service: sends SIGTERM when the first package is resolved, and never completes that resolution.
import { register } from 'node:module';

const atPackage = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (!found.url.includes('/node_modules/')) return found;
  process.kill(process.pid, 'SIGTERM');
  return new Promise(() => undefined);
}`;
register(`data:text/javascript,${encodeURIComponent(atPackage)}`);
// A process that waits for nothing but a module ends by itself, perhaps before it hears the signal.
setTimeout(() => undefined, 60_000);
