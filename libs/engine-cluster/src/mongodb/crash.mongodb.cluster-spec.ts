import { SystemClock } from '@adapters/clock.system';
import { position, row } from '@ports/contracts/note-rows';
import type { Position } from '@ports/event-store.port';
import { ownMongodb } from '@testing/mongodb-engine';
import { mongodbRun, type MongodbRun } from '@testing/mongodb-run';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MongoDbPorts, openMongoDb } from './open-mongodb.js';

const ROUNDS = 8;
const WRITERS = 8;
const clock = new SystemClock();
const schema = { name: 'notes', version: 1, filterFields: ['status'], dueFields: [] };
const numberOf = (at: Position) => Number(at);

/** Like a projection: applies a row per position and one that all positions change; after a failure it resumes from the checkpoint. */
class Projector {
  acknowledged = 0;
  restarts = 0;
  private stopped = false;
  readonly running: Promise<void>;

  constructor(private readonly ports: MongoDbPorts) {
    this.running = this.run();
  }

  /** Resolves once it has written more: a kill before that would end a pass that has already failed. */
  async working(): Promise<void> {
    const before = this.acknowledged;
    while (this.acknowledged === before) await sleep(5);
  }

  stop(): Promise<void> {
    this.stopped = true;
    return this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      try {
        await this.pass();
      } catch {
        this.restarts++;
        await sleep(20);
      }
    }
  }

  private async pass(): Promise<void> {
    const { readModels } = this.ports;
    await readModels.define(schema);
    let at = numberOf(await readModels.checkpoint('notes'));
    while (!this.stopped) {
      at++;
      await readModels.apply('notes', [row(`n${at}`, at), { ...row('latest', 1), position: position(at) }], position(at));
      this.acknowledged = at;
    }
  }
}

async function missing({ readModels }: MongoDbPorts): Promise<readonly string[]> {
  await readModels.define(schema);
  const checkpoint = numberOf(await readModels.checkpoint('notes'));
  const ids = Array.from({ length: checkpoint }, (_, index) => `n${index + 1}`);
  const rows = await readModels.getMany('notes', ids);
  const [latest] = await readModels.getMany('notes', ['latest']);
  const behind = checkpoint > 0 && numberOf(latest?.position ?? position(0)) < checkpoint ? ['latest'] : [];
  return [...ids.filter((_, index) => !rows[index]), ...behind];
}

/** Creates and replaces records until stopped; notes the last acknowledged version of each. */
class Recorder {
  readonly acknowledged = new Map<string, string>();
  private stopped = false;
  readonly running: Promise<unknown>;

  constructor(
    private readonly ports: MongoDbPorts,
    private readonly name: string,
  ) {
    this.running = Promise.all(Array.from({ length: WRITERS }, (_, writer) => this.write(writer)));
  }

  stop(): Promise<unknown> {
    this.stopped = true;
    return this.running;
  }

  private async write(writer: number): Promise<void> {
    for (let turn = 0; !this.stopped; turn++) {
      const key = `${this.name} ${writer} ${turn}`;
      try {
        const { record } = await this.ports.records.create(key, 'one', clock.now() + 600_000);
        // The version is unknown while a replacement is in progress.
        const replaced =
          turn % 2 === 0 ? record : await this.ports.records.replace(key, record.version, 'two', clock.now() + 600_000);
        if (replaced) this.acknowledged.set(key, replaced.version);
      } catch {
        await sleep(20);
      }
    }
  }
}

describe('a MongoDB that is killed under load', () => {
  let server: Awaited<ReturnType<typeof ownMongodb>>;
  const opened: MongoDbPorts[] = [];
  const open = async (settings: MongodbRun['settings']) => {
    const ports = await openMongoDb(settings, clock);
    opened.push(ports);
    return ports;
  };
  const run = (writeConcern: 'majority' | 1) => mongodbRun(server.engine.url, writeConcern).settings;
  const killAndRestart = async (afterMs: number) => {
    await sleep(afterMs);
    await server.engine.kill();
    await server.engine.restart();
  };

  beforeAll(async () => void (server = await ownMongodb()));
  afterEach(async () => {
    for (const ports of opened.splice(0)) await ports.close();
  });
  afterAll(() => server.end());

  it('has every record that was acknowledged, in the version acknowledged last', async () => {
    const ports = await open(run(1));
    for (let round = 0; round < ROUNDS; round++) {
      const recorder = new Recorder(ports, `round ${round}`);
      await killAndRestart(100 + Math.random() * 300);
      await recorder.stop();
      expect(recorder.acknowledged.size).toBeGreaterThan(0);
      const lost: string[] = [];
      for (const [key, version] of recorder.acknowledged) if ((await ports.records.get(key))?.version !== version) lost.push(key);
      expect(lost).toEqual([]);
    }
  });

  it('has every row that was acknowledged, and no checkpoint without its rows', async () => {
    const settings = run(1);
    const projector = new Projector(await open(settings));
    const reader = await open(settings);
    for (let round = 0; round < ROUNDS; round++) {
      await projector.working();
      await sleep(100 + Math.random() * 300);
      await server.engine.kill();
      const { acknowledged } = projector;
      await server.engine.restart();
      expect(await missing(reader)).toEqual([]);
      expect(numberOf(await reader.readModels.checkpoint('notes'))).toBeGreaterThanOrEqual(acknowledged);
    }
    await projector.stop();
    expect(await missing(reader)).toEqual([]);
    expect(projector.restarts).toBeGreaterThanOrEqual(ROUNDS);
  });

  it('has no gap in its rows where it has lost what it had acknowledged', async () => {
    const settings = run('majority');
    const projector = new Projector(await open(settings));
    for (let round = 0; round < ROUNDS; round++) await killAndRestart(100 + Math.random() * 300);
    const before = projector.acknowledged;
    await sleep(1_000);
    await projector.stop();
    expect(projector.acknowledged).toBeGreaterThan(before);
    expect(await missing(await open(settings))).toEqual([]);
  });

  it('has no checkpoint ahead of its rows when it dies in the first second', async () => {
    const settings = run(1);
    for (let round = 0; round < ROUNDS; round++) {
      const projector = new Projector(await open(settings));
      await killAndRestart(Math.random() * 800);
      await projector.stop();
      expect(await missing(await open(settings))).toEqual([]);
    }
  });
});
