// Preloaded into a service: refuses to resolve the drivers of the cluster engine.
import { register } from 'node:module';

const refusing = `
export function resolve(specifier, context, next) {
  if (/^(@eventstore\\/db-client|kafkajs|mongodb)(\\/|$)/.test(specifier)) throw new Error('a driver of the cluster engine: ' + specifier);
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(refusing)}`);
