export const VERSIONS: {
  readonly kafka: string;
  readonly formerKafka: string;
  readonly embeddedMongodb: string;
};

export const IMAGES: Readonly<Record<'eventstoredb' | 'kafka' | 'mongodb' | 'node', string>>;
