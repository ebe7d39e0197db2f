/** The version of each engine that tests, compose and documentation speak of. */
export const VERSIONS = {
  kafka: '4.3.1',
  /** The oldest Kafka line that is tested beside it. */
  formerKafka: '3.9.2',
  /** The embedded build of MongoDB that tests run. */
  embeddedMongodb: '0.1.1',
};

/** The container images of docker-compose.yml and the Dockerfile. */
export const IMAGES = {
  eventstoredb: 'kurrentplatform/kurrentdb:26.0.4',
  kafka: `apache/kafka:${VERSIONS.kafka}`,
  mongodb: 'mongo:8.0.29',
  node: 'node:24.21.0-bookworm-slim',
};
