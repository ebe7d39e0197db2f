import type { OpenServer } from './engine.cluster.js';

/** The packages that only the driver of this server brings in. */
const PACKAGES: Readonly<Record<OpenServer['name'], readonly string[]>> = {
  EventStoreDB: ['@eventstore/db-client', '@grpc/grpc-js', 'google-protobuf'],
  Kafka: ['kafkajs'],
  MongoDB: ['mongodb', 'bson', 'mongodb-connection-string-url'],
};

const CALL_SITE = /^\s+at .*/gm;
/** Call sites that name no file: of Node itself, and of functions of the language. */
const WITHOUT_FILE = /[( ](?:node:|<anonymous>|native)/;
const IN_PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)([^()]*)/;

/** A failure that a driver made, and where. */
export interface DriverFailure {
  readonly server: OpenServer['name'];
  /** A file of the driver, with line and column. */
  readonly at: string;
}

/** Which driver made this failure, by the innermost call site; undefined where none did, or it has no call sites. */
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
