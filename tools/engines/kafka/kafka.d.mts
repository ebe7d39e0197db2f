import type { EngineProcess } from '../engine-process.mjs';

export interface KafkaOptions {
  readonly directory: string;
  /** Of `VERSIONS`; its `kafka` when absent. */
  readonly version?: string;
  readonly port?: number;
  /** The port told to clients, such as a proxy's. */
  readonly advertisedPort?: number;
  readonly controllerPort?: number;
  /** Of several brokers; a new one for a single broker. */
  readonly clusterId?: string;
  /** Replaces the usual configuration. */
  readonly properties?: Readonly<Record<string, string | number>>;
}

/** Starts a broker, installing it if missing: its own controller, unless properties name others. Its host knows `suspend`, `resume`. */
export function startKafka(options: KafkaOptions): Promise<EngineProcess>;
