export interface ClusterSettings {
  /** `esdb://…`, of EventStoreDB or KurrentDB. */
  readonly eventStoreUrl: string;
  /** With the name of the database. */
  readonly mongodbUrl: string;
  readonly kafkaBrokers: readonly string[];
  /** Replica set members that store a write before it is acknowledged, always with a journal. */
  readonly writeConcern: 'majority' | 1;
  readonly replicationFactor: number;
  /** Prefix of all streams, topics, groups and collections. */
  readonly prefix: string;
}
