import type { DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SystemClock } from '@adapters/clock.system';
import { UlidIds } from '@adapters/ids.ulid';
import { InstallationModule } from '@application/installation/installation.module';
import { ProjectionsModule } from '@application/projections/projections.module';
import { HostedComponents } from '@application/projections/retries/hosted-components';
import { HostedProjections } from '@application/projections/rebuilds/rebuild-task';
import { TrustedTime } from '@application/runtime/log-time';
import { InstancesModule } from '@application/instances/instances.module';
import { ListsModule } from '@application/read-models/lists.module';
import type { Caller } from '@application/projects/caller';
import { ApiKeys } from '@application/projects/api-keys';
import { FirstStart, type Announcement } from '@application/installation/first-start';
import { Shutdown } from '@application/runtime/shutdown';
import { EmbeddedEngineModule } from '@engine-embedded/embedded-engine.module';
import { Config } from '@platform/config/config';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { Ids } from '@ports/ids.port';
import { Secrets } from '@ports/secrets.port';
import { Settings } from '@ports/settings.port';
import { NO_TRACER, Tracer } from '@ports/tracer.port';
import { fakeSettings } from '@testing/fake-settings';
import { QuickPasswords } from '@testing/quick-passwords';
import { AdminHttpModule } from '../../apps/gateway/src/admin/admin-http.module.js';
import { HttpModule, installPipeline } from '../../apps/gateway/src/http/http.module.js';
import { newFastify } from '../../apps/gateway/src/http/pipeline/new-fastify.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const PASSWORD = 'correct horse battery';

/** Tasks are asked for, and not done. */
const NONE_HOSTED = {
  hostedProjections: { provide: HostedProjections, useValue: {} },
  hostedComponents: { provide: HostedComponents, useValue: {} },
};

/** The time of this machine, and as much later as a test wants. */
class LaterClock extends SystemClock {
  private later = 0;

  override now(): number {
    return super.now() + this.later;
  }

  pass(ms: number): void {
    this.later += ms;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** Specs look at bodies of every shape. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

type Headers = Readonly<Record<string, string>>;

/** The admin API over a real engine, with an administrator logged in and time in the test's hands. */
export class AdminWorld {
  readonly clock = new LaterClock();
  /** What the last start announced. */
  made: Announcement | null = null;
  token = '';
  private readonly directory = mkdtempSync(join(tmpdir(), 'admin-api-'));

  private constructor(public app: NestFastifyApplication) {}

  static async open(): Promise<AdminWorld> {
    const world = new AdminWorld(null as never);
    await world.start();
    world.token = (await world.login(PASSWORD)).body.token;
    return world;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  async close(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Everything that lies on the disk. */
  get files(): string {
    const names = readdirSync(this.directory).filter((name) => name !== 'lock.sqlite');
    return names.map((name) => readFileSync(join(this.directory, name), 'latin1')).join('\n');
  }

  get projectId(): string {
    return this.made?.projectId ?? '';
  }

  async send(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    const answer = await this.app.inject({
      method: method as 'GET',
      url: `/admin/v1${path}`,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  }

  /** A request with the administrator's session. */
  admin(method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> {
    return this.send(method, path, body, { authorization: `Bearer ${this.token}`, ...headers });
  }

  login(password: string): Promise<Answer> {
    return this.send('POST', '/login', { password });
  }

  authenticate(secret: string): Promise<Caller> {
    return this.app.get(ApiKeys).authenticate(secret);
  }

  /** The body of the answer to a key's issue, secret included. */
  async newKey(projectId: string, terms: object = {}): Promise<Answer['body']> {
    const { status, body } = await this.admin('POST', `/projects/${projectId}/api_keys`, { name: 'key', ...terms });
    if (status !== 201) throw new Error(`no key was issued: ${JSON.stringify(body)}`);
    return body;
  }

  private async start(): Promise<void> {
    const testing = await Test.createTestingModule({
      imports: [
        portsOf(this.clock),
        CqrsModule.forRoot(),
        EmbeddedEngineModule.forRoot({ directory: this.directory }),
        InstancesModule.forRoot({ role: 'gateway', version: '1.2.3' }),
        ProjectionsModule.forRoot({ reactors: [], sweepers: [], ...NONE_HOSTED }),
        ListsModule,
        InstallationModule,
        HttpModule,
        AdminHttpModule,
      ],
    }).compile();
    const created = { bodyParser: false, logger: false } as const;
    this.app = testing.createNestApplication<NestFastifyApplication>(newFastify(), created);
    installPipeline(this.app);
    await this.app.init();
    this.made = null;
    const chosen = { apiKey: null, adminPassword: PASSWORD };
    await this.app.get(FirstStart).run(chosen, (announcement) => void (this.made = announcement));
  }

  private async stop(): Promise<void> {
    const engine = this.app.get(Engine);
    await this.app.close();
    await engine.close();
  }
}

/** The adapters and the platform, as far as the admin API needs them. */
function portsOf(clock: Clock): DynamicModule {
  const providers = [
    { provide: Clock, useValue: clock },
    { provide: TrustedTime, useValue: clock },
    { provide: Ids, useValue: new UlidIds(clock) },
    { provide: Secrets, useValue: new QuickPasswords(new Uint8Array(32).fill(3)) },
    { provide: Config, useValue: Config.from({}) },
    { provide: Settings, useValue: fakeSettings() },
    { provide: Logger, useValue: new Logger('silent') },
    { provide: Metrics, useValue: new Metrics() },
    { provide: Shutdown, useValue: new Shutdown() },
    { provide: Tracer, useValue: NO_TRACER },
  ];
  return { module: Surroundings, global: true, providers, exports: providers.map(({ provide }) => provide) };
}

class Surroundings {}

/** What an error answer says, in one value to compare. */
export const errorOf = ({ status, body }: Answer) => [status, body.error?.type, body.error?.code];
