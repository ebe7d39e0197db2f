import type { EngineProcess } from '../engine-process.mjs';

export interface KafkaOptions {
  readonly directory: string;
  /** A version of `VERSIONS`; its `kafka` when absent. */
  readonly version?: string;
  readonly port?: number;
  /** The port that the broker tells its clients, a proxy's as an example. */
  readonly advertisedPort?: number;
  readonly controllerPort?: number;
  /** Of a Kafka of several brokers; a new one where it is one alone. */
  readonly clusterId?: string;
  /** Lines of the broker's configuration instead of the usual ones. */
  readonly properties?: Readonly<Record<string, string | number>>;
}

/** Starts one broker on the data of this directory, installed where it is missing. It is its own controller unless the properties name others. Its host knows `suspend` and `resume`. */
export function startKafka(options: KafkaOptions): Promise<EngineProcess>;
