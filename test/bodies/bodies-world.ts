import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FirstStart } from '@application/installation/first-start';
import { InstallationSeal } from '@application/installation/installation-seal';
import { Shutdown } from '@application/runtime/shutdown';
import { EmbeddedEngineModule } from '@engine-embedded/embedded-engine.module';
import { Config } from '@platform/config/config';
import { InstallationKey } from '@platform/config/installation-key';
import { Logger } from '@platform/logging/logger';
import { Engine } from '@ports/engine.port';
import { Secrets } from '@ports/secrets.port';
import { NO_TRACER } from '@ports/tracer.port';
import { QuickPasswords } from '@testing/quick-passwords';
import { GatewayModule } from '../../apps/gateway/src/gateway.module.js';
import { installPipeline } from '../../apps/gateway/src/http/http.module.js';
import { newFastify } from '../../apps/gateway/src/http/pipeline/new-fastify.js';
import type { RoutePolicy } from '../../apps/gateway/src/http/routes/routes.js';

export const API_KEY = 'sk_bodies_0123456789abcdefghijklmnop';
const PASSWORD = 'correct horse battery staple';

export interface RouteWithBody {
  readonly method: 'POST' | 'PATCH';
  /** With parameters such as `:id`. */
  readonly url: string;
  readonly access: RoutePolicy['access'];
  readonly body: NonNullable<RoutePolicy['body']>;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly id: string;
}

/** The whole service in this process, with a new data directory, a client's key and an administrator's session. */
export class BodiesWorld {
  readonly routes: RouteWithBody[] = [];
  private readonly directory = mkdtempSync(join(tmpdir(), 'bodies-'));
  protected readonly tracer = NO_TRACER;
  protected app!: NestFastifyApplication;
  private session = '';

  static async start<World extends BodiesWorld>(this: new () => World): Promise<World> {
    const world = new this();
    await world.launch();
    const { text } = await world.send('POST', '/admin/v1/login', JSON.stringify({ password: PASSWORD }));
    world.session = (JSON.parse(text) as { token: string }).token;
    return world;
  }

  async send(method: 'POST' | 'PATCH', url: string, payload: string): Promise<Answer> {
    const token = url.startsWith('/admin') ? this.session : API_KEY;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { statusCode: status, body: text } = await this.app.inject({ method, url, headers, payload });
    return { status, text, id: (JSON.parse(text) as { id?: string }).id ?? '' };
  }

  async close(): Promise<void> {
    this.app.get(Shutdown).begin();
    const engine = this.app.get(Engine);
    await this.app.close();
    await engine.close();
    rmSync(this.directory, { recursive: true });
  }

  private async launch(): Promise<void> {
    const config = Config.from({ DATA_DIR: join(this.directory, 'data'), ...WITHOUT_LIMITS });
    const key = InstallationKey.of(config);
    const engine = EmbeddedEngineModule.forRoot({ directory: config.dataDir });
    const testing = await Test.createTestingModule({
      imports: [GatewayModule.forRoot({ config, engine, tracer: this.tracer, logger: new Logger('silent') }, key)],
    })
      .overrideProvider(Secrets)
      .useValue(new QuickPasswords(key.bytes))
      .compile();
    this.app = testing.createNestApplication<NestFastifyApplication>(newFastify(), { bodyParser: false, logger: false });
    await this.app.get(InstallationSeal).compare(() => key.keep());
    this.beforePipeline();
    installPipeline(this.app);
    this.behindPipeline();
    await this.app.init();
    await this.app.get(FirstStart).run({ apiKey: API_KEY, adminPassword: PASSWORD }, () => undefined);
  }

  protected beforePipeline(): void {}

  protected behindPipeline(): void {
    this.app
      .getHttpAdapter()
      .getInstance()
      .addHook('onRoute', ({ method, url, config }) => {
        const { policy } = (config ?? {}) as { policy?: RoutePolicy };
        if (policy?.body) this.routes.push({ method: method as 'POST', url, access: policy.access, body: policy.body });
      });
  }
}

const WITHOUT_LIMITS = { RATE_LIMIT_READ: '0', RATE_LIMIT_WRITE: '0', RATE_LIMIT_MESSAGES: '0' };
