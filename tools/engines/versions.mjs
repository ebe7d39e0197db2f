/** For tests, Compose and documentation. */
export const VERSIONS = {
  kafka: '4.3.1',
  formerKafka: '3.9.2',
  embeddedMongodb: '0.1.1',
};

/** For docker-compose.yml and the Dockerfile. */
export const IMAGES = {
  eventstoredb: 'kurrentplatform/kurrentdb:26.0.4',
  kafka: `apache/kafka:${VERSIONS.kafka}`,
  mongodb: 'mongo:8.0.29',
  node: 'node:24.21.0-bookworm-slim',
};
