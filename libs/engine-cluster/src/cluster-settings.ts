/** Where the three engines are and how they are used, from the operator's settings. */
export interface ClusterSettings {
  /** The connection string of EventStoreDB or KurrentDB: `esdb://…`. */
  readonly eventStoreUrl: string;
  /** The connection string of MongoDB, with the name of the database. */
  readonly mongodbUrl: string;
  /** Kafka's brokers, `host:port` each. */
  readonly kafkaBrokers: readonly string[];
  /** How many members of the replica set store a write before it is acknowledged. A journal always does. */
  readonly writeConcern: 'majority' | 1;
  /** The replicas of each Kafka topic that is created here. */
  readonly replicationFactor: number;
  /** Stands before the name of every stream, topic, group and collection. */
  readonly prefix: string;
}
