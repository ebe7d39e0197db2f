// Loaded into a service before its own code: asks it to end as soon as it looks for a package, which it never finds.
import { register } from 'node:module';

const atPackage = `
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context);
  if (!found.url.includes('/node_modules/')) return found;
  process.kill(process.pid, 'SIGTERM');
  return new Promise(() => undefined);
}`;
register(`data:text/javascript,${encodeURIComponent(atPackage)}`);
