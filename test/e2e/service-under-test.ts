import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '@platform/config/config';
import { Logger } from '@platform/logging/logger';
import { end } from '../../apps/gateway/src/ending.js';
import { startGateway } from '../../apps/gateway/src/gateway.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: any;
}

/** The whole service on a data directory of its own, spoken to over HTTP. */
export class ServiceUnderTest {
  readonly directory = mkdtempSync(join(tmpdir(), 'service-'));
  /** What the last start said to a person. */
  said = '';
  url = '';
  private app: NestFastifyApplication | null = null;

  static async start(environment: Record<string, string> = {}): Promise<ServiceUnderTest> {
    const service = new ServiceUnderTest(environment);
    await service.start();
    return service;
  }

  private constructor(private readonly environment: Record<string, string>) {}

  async start(): Promise<void> {
    this.said = '';
    const config = Config.from({ DATA_DIR: this.directory, PORT: '0', LOG_LEVEL: 'silent', ...this.environment });
    this.app = await startGateway(config, new Logger('silent'), (text) => (this.said += text));
    this.url = /Listening on (\S+)/.exec(this.said)?.[1] ?? '';
  }

  async stop(): Promise<void> {
    if (this.app) await end(this.app);
    this.app = null;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.directory, { recursive: true, force: true });
  }

  async send(
    method: string,
    path: string,
    token: string | null,
    body?: unknown,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const headers = {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(this.url + path, { method, headers, ...sent });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: text.startsWith('{') ? JSON.parse(text) : null };
  }

  /** Every documented route, as the code has it. */
  openApi(): any {
    if (!this.app) throw new Error('the service is stopped');
    return SwaggerModule.createDocument(this.app, new DocumentBuilder().build());
  }

  /** Which of these texts occur anywhere in the data directory. */
  leaked(texts: readonly string[]): readonly string[] {
    const files = readdirSync(this.directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const contents = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
    return texts.filter((text) => contents.some((bytes) => bytes.includes(text)));
  }
}
