import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { FirstStart } from '@application/installation/first-start';
import { InstallationSeal } from '@application/installation/installation-seal';
import { ProjectionRunners } from '@application/projections/projection-runners';
import { PROJECTIONS } from '@application/projections/projections';
import { Shutdown } from '@application/runtime/shutdown';
import { startDelivery } from '@composition/startup/start-delivery';
import { EmbeddedEngineModule } from '@engine-embedded/embedded-engine.module';
import { openEmbeddedEngine } from '@engine-embedded/open-embedded-engine';
import { Config } from '@platform/config/config';
import { InstallationKey } from '@platform/config/installation-key';
import { Logger } from '@platform/logging/logger';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { EventStore, START, type Recorded } from '@ports/event-store.port';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { WebhookSender } from '@ports/webhook-sender.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeSender } from '@testing/fake-sender';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GatewayModule } from '../../apps/gateway/src/gateway.module.js';
import { installPipeline } from '../../apps/gateway/src/http/http.module.js';
import { newFastify } from '../../apps/gateway/src/http/pipeline/new-fastify.js';
import { historyOf, type History, type KeptAnswer, type KeyedRequest } from './history.js';

/** A directory beside this file: `<release>/<how its service ended>`. */
export type Name = `${string}/${'closed' | 'killed'}`;

const HOUR = 3_600_000;
const STEP_MS = 1_000;
const MAX_ROWS = 10_000;

/** A copy of a directory as its release left it. */
function unpacked(name: Name): string {
  const folder = mkdtempSync(join(tmpdir(), 'data-directory-'));
  execFileSync('tar', ['-xzf', join(__dirname, `${name}.tar.gz`), '-C', folder]);
  return join(folder, basename(name));
}

/** Every event of a log but those of reactors, which note how far they are. */
async function everyEvent(store: EventStore): Promise<readonly Recorded[]> {
  const head = await store.head();
  const stop = new AbortController();
  const found: Recorded[] = [];
  for await (const { events, upTo } of store.subscribe(START, { signal: stop.signal })) {
    found.push(...events);
    if (upTo >= head) stop.abort();
  }
  return found;
}

/** The events that the release stored. */
export async function eventsStored(name: Name): Promise<readonly Recorded[]> {
  const directory = unpacked(name);
  const { events, engine } = await openEmbeddedEngine(directory, new FakeClock());
  const stored = await everyEvent(events);
  await engine.close();
  rmSync(join(directory, '..'), { recursive: true });
  return stored;
}

/** The whole service on a copy of a directory, composed in this process, an hour after the directory was made. */
export class OpenedDirectory {
  readonly clock: FakeClock;
  readonly sender: FakeSender;
  private readonly directory: string;
  private app!: NestFastifyApplication;

  private constructor(
    name: Name,
    readonly history: History,
  ) {
    this.directory = unpacked(name);
    this.clock = new FakeClock(history.madeAt + HOUR);
    this.sender = new FakeSender(this.clock);
  }

  static async open(name: Name, settings: Readonly<Record<string, string>>): Promise<OpenedDirectory> {
    const opened = new OpenedDirectory(name, historyOf(name));
    await opened.start(settings);
    return opened;
  }

  events(): Promise<readonly Recorded[]> {
    return everyEvent(this.app.get(EventStore));
  }

  /** Lets this much time pass, in steps that leave what is set off by a timer the time to end. */
  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await this.clock.advance(STEP_MS);
      for (let turn = 0; turn < 5; turn++) await settle();
    }
  }

  /** The rows of every read model, as they are stored. */
  async rows(): Promise<Readonly<Record<string, readonly StoredRow[]>>> {
    const readModels = this.app.get(ReadModels);
    const all = PROJECTIONS.map(
      async ({ schema: { name } }) => [name, await readModels.scan(name, { limit: MAX_ROWS })] as const,
    );
    return Object.fromEntries(await Promise.all(all));
  }

  /** Makes the rows of every read model anew, from the log. */
  async rebuild(): Promise<void> {
    const runners = this.app.get(ProjectionRunners, { strict: false });
    for (const { schema } of PROJECTIONS) {
      let isOver = false;
      const rebuilding = runners.rebuild(schema.name).finished.finally(() => (isOver = true));
      while (!isOver) await this.pass(STEP_MS);
      await rebuilding;
    }
  }

  async get(path: string): Promise<string> {
    const headers = { authorization: `Bearer ${this.history.apiKey}` };
    return (await this.app.inject({ method: 'GET', url: path, headers })).body;
  }

  /** Sends a request of the directory's history once more. */
  async again({ key, token, method, path, body }: KeyedRequest): Promise<KeptAnswer> {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key, 'content-type': 'application/json' };
    const answer = await this.app.inject({ method: method as 'POST', url: path, headers, payload: body });
    return { status: answer.statusCode, headers: answer.headers as Record<string, string>, body: answer.body };
  }

  async close(): Promise<void> {
    this.app.get(Shutdown).begin();
    const engine = this.app.get(Engine);
    await this.app.close();
    await engine.close();
    rmSync(join(this.directory, '..'), { recursive: true });
  }

  private async start(settings: Readonly<Record<string, string>>): Promise<void> {
    const config = Config.from({ DATA_DIR: this.directory, ...settings });
    const key = InstallationKey.of(config);
    const engine = EmbeddedEngineModule.forRoot({ directory: config.dataDir });
    const context = { config, engine, logger: new Logger('silent') };
    const testing = await Test.createTestingModule({
      imports: [GatewayModule.forRoot(context, key)],
    })
      .overrideProvider(Clock)
      .useValue(this.clock)
      .overrideProvider(WebhookSender)
      .useValue(this.sender)
      .compile();
    this.app = testing.createNestApplication<NestFastifyApplication>(newFastify(), { bodyParser: false, logger: false });
    await this.app.get(InstallationSeal).compare(() => key.keep());
    installPipeline(this.app);
    await this.app.init();
    await this.app.get(FirstStart).run({ apiKey: null, adminPassword: null }, () => {
      throw new Error('The directory has a key and a password: no start on it is the first.');
    });
    await startDelivery(this.app);
  }
}
