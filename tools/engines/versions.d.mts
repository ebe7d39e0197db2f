/** The version of each engine that tests, compose and documentation speak of. */
export const VERSIONS: {
  readonly kafka: string;
  /** The oldest Kafka line that is tested beside it. */
  readonly formerKafka: string;
  /** The embedded build of MongoDB that tests run. */
  readonly embeddedMongodb: string;
};

/** The container images of docker-compose.yml and the Dockerfile. */
export const IMAGES: Readonly<Record<'eventstoredb' | 'kafka' | 'mongodb' | 'node', string>>;
