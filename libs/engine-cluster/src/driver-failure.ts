import type { OpenServer } from './engine.cluster.js';

const PACKAGES: Readonly<Record<OpenServer['name'], readonly string[]>> = {
  EventStoreDB: ['@eventstore/db-client', '@grpc/grpc-js', 'google-protobuf'],
  Kafka: ['kafkajs'],
  MongoDB: ['mongodb', 'bson', 'mongodb-connection-string-url'],
};

const CALL_SITE = /^\s+at .*/gm;
/** Call sites without a file: of Node itself, and of built-in functions. */
const WITHOUT_FILE = /[( ](?:node:|<anonymous>|native)/;
const IN_PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)([^()]*)/;

export interface DriverFailure {
  readonly server: OpenServer['name'];
  readonly at: string;
}

/** The driver that raised this failure, by its innermost call site; undefined if none did, or without call sites. */
export function driverFailure(failure: unknown): DriverFailure | undefined {
  if (!(failure instanceof Error)) return undefined;
  const sites = (failure.stack ?? '').replace(failure.message, '').match(CALL_SITE) ?? [];
  const innermost = sites.find((site) => !WITHOUT_FILE.test(site)) ?? '';
  const [, folder = '', file = ''] = IN_PACKAGE.exec(innermost) ?? [];
  const name = folder.replaceAll('\\', '/');
  for (const server of ['EventStoreDB', 'Kafka', 'MongoDB'] as const) {
    if (PACKAGES[server].includes(name)) return { server, at: name + file };
  }
  return undefined;
}
