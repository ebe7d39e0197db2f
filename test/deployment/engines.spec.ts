import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { IMAGES } from '../../tools/engines/versions.mjs';
import { composeFile, root, service } from './compose-file.js';

const page = readFileSync(join(root, 'docs/operations/cluster.md'), 'utf8');
const images = Object.entries({ eventstoredb: IMAGES.eventstoredb, kafka: IMAGES.kafka, mongodb: IMAGES.mongodb });

/** The named volume that is mounted there. */
const volumeAt = (name: string, path: string) =>
  service(name)
    .volumes?.map((mount) => mount.split(':'))
    .find(([, target]) => target === path)?.[0];

describe.each(images)('the container of %s', (name, image) => {
  it('is of the version in the table of versions, and the operator’s page names it', () => {
    expect(service(name).image).toBe(image);
    expect(page.includes(`\`${image}\``)).toBe(true);
  });

  it('has time to close its files, and comes back by itself', () =>
    expect(service(name)).toMatchObject({ stop_grace_period: '60s', restart: 'unless-stopped' }));
});

describe('what an engine stores', () => {
  it.each([
    ['eventstoredb', '/var/lib/kurrentdb'],
    ['kafka', String(service('kafka').environment?.KAFKA_LOG_DIRS)],
    ['mongodb', '/data/db'],
  ])('in %s at %s is on a volume that outlives the container', (name, path) => {
    expect(Object.keys(composeFile.volumes)).toContain(volumeAt(name, path));
  });
});

describe('Kafka', () => {
  const settings = service('kafka').environment ?? {};

  it('creates no topic that nobody declared, and keeps offsets for 30 days', () => {
    expect(settings.KAFKA_AUTO_CREATE_TOPICS_ENABLE).toBe(false);
    expect(settings.KAFKA_OFFSETS_RETENTION_MINUTES).toBe(30 * 24 * 60);
  });

  it('is found under its name by the apps, and at 127.0.0.1:9092 by this machine', () => {
    expect(settings.KAFKA_ADVERTISED_LISTENERS).toBe('INTERNAL://kafka:9092,MACHINE://127.0.0.1:9092');
    expect(settings.KAFKA_LISTENERS).toContain('MACHINE://:9094');
    expect(service('kafka').ports).toEqual(['127.0.0.1:9092:9094']);
  });
});

describe('the health check of MongoDB', () => {
  const script = service('mongodb').healthcheck.test.at(-1) ?? '';

  /** Runs the check in a shell of a member in this state; tells how it ended and what it initiated. */
  function checked(status: () => unknown, hello: { isWritablePrimary: boolean; setName?: string }) {
    const initiated: unknown[] = [];
    const ends: number[] = [];
    const rs = { status, initiate: (set: unknown) => initiated.push(set) };
    const run = () => void runInNewContext(script, { rs, db: { hello: () => hello }, quit: (code: number) => ends.push(code) });
    return { run, initiated, ends };
  }
  const failing = (codeName: string) => () => {
    throw Object.assign(new Error(codeName), { codeName });
  };

  it('passes for the primary of rs0 alone', () => {
    const cases = [
      { isWritablePrimary: true, setName: 'rs0' },
      { isWritablePrimary: false, setName: 'rs0' },
      { isWritablePrimary: true },
    ].map((hello) => checked(() => ({ ok: 1 }), hello));
    for (const { run } of cases) run();
    expect(cases.map(({ ends }) => ends)).toEqual([[0], [1], [1]]);
    expect(cases.flatMap(({ initiated }) => initiated)).toEqual([]);
  });

  it('initiates a set that is not, with a member that the apps can reach', () => {
    const { run, initiated, ends } = checked(failing('NotYetInitialized'), { isWritablePrimary: false });
    run();
    expect(JSON.parse(JSON.stringify(initiated))).toEqual([{ _id: 'rs0', members: [{ _id: 0, host: 'mongodb:27017' }] }]);
    expect(ends).toEqual([1]);
  });

  it('initiates nothing where the status fails for another reason', () => {
    const { run, initiated } = checked(failing('Unauthorized'), { isWritablePrimary: false });
    expect(run).toThrow('Unauthorized');
    expect(initiated).toEqual([]);
  });
});
