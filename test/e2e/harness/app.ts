import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from './client.js';
import { Installation } from './installation.js';

export const BUNDLE = join(__dirname, '../../../dist/apps/gateway/bundle');
export const MAIN = join(BUNDLE, 'main.js');

/** What each part of the service is started with: a file of the bundle and its arguments. */
const PROGRAMS = {
  service: ['main.js'],
  gateway: ['main.js', '--alone'],
  projections: ['projections.js'],
  delivery: ['delivery.js'],
} as const;
export type Part = keyof typeof PROGRAMS;
const TOOLS = join(__dirname, '../../../tools');
const START_WITHIN_MS = 60_000;
const LISTENING = /^Listening on (\S+)$/m;

export const API_KEY = 'sk_e2e_0123456789abcdefghijklmnop';
export const ADMIN_PASSWORD = 'correct horse battery staple';

type Variables = Readonly<Record<string, string>>;

/** Rate limits are off by default. */
export const DEFAULTS: Variables = {
  HOST: '127.0.0.1',
  PORT: '0',
  OPERATIONS_PORT: '0',
  BOOTSTRAP_API_KEY: API_KEY,
  ADMIN_PASSWORD,
  RATE_LIMIT_READ: '0',
  RATE_LIMIT_WRITE: '0',
  RATE_LIMIT_MESSAGES: '0',
};

/** How a script ended, and what it said. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built service in a child process, with an installation of its own that goes with it. */
export class App {
  private child: ChildProcess | null = null;
  private ending: Promise<number | null> = Promise.resolve(null);
  private output = { stdout: '', stderr: '' };
  private logged = '';
  private address = '';

  private constructor(
    private variables: Variables,
    private readonly installation = new Installation(),
    private readonly part: Part = 'service',
    private readonly bundle = BUNDLE,
  ) {}

  /** Starts the service and waits until it listens. An empty variable counts as unset. Without an installation it has a new one. */
  static async start(variables: Variables = {}, installation?: Installation, part?: Part, bundle?: string): Promise<App> {
    const app = new App({ ...DEFAULTS, ...variables }, installation, part, bundle);
    await app.launch();
    return app;
  }

  get dataDir(): string {
    return this.installation.dataDir;
  }

  /** The settings that lead to what the service has stored. */
  get stores(): Variables {
    return this.installation.variables;
  }

  /** Every byte that the service has stored. */
  stored(): Promise<Buffer> {
    return this.installation.stored();
  }

  /** The base URL, without a trailing slash. */
  get url(): string {
    return this.address;
  }

  /** The output since the last start. */
  get stdout(): string {
    return this.output.stdout;
  }

  get stderr(): string {
    return this.output.stderr;
  }

  /** Standard error of all starts. */
  get log(): string {
    return this.logged;
  }

  /** A client with the first API key. */
  get api(): Client {
    return this.as(API_KEY);
  }

  as(token: string | null): Client {
    return new Client(this.address, token);
  }

  /** Logs in and returns a client with the admin session. */
  async admin(): Promise<Client> {
    const { body } = await this.as(null).post('/admin/v1/login', { password: ADMIN_PASSWORD });
    return this.as(body.token);
  }

  /** Creates another project and returns a client with a key of it. */
  async otherProject(name = 'other', scopes?: readonly string[]): Promise<Client> {
    const admin = await this.admin();
    const project = await admin.post('/admin/v1/projects', { name });
    const key = await admin.post(`/admin/v1/projects/${project.body.id}/api_keys`, { name, ...(scopes && { scopes }) });
    return this.as(key.body.secret);
  }

  /** Resolves to the exit code once the process has ended; null where a signal ended it. */
  get ended(): Promise<number | null> {
    return this.ending;
  }

  /** The number of requests in flight, without the request that asks for it. */
  async requestsInFlight(): Promise<number> {
    const { text } = await this.as(null).get('/metrics');
    return Number(/^http_requests_in_flight (\d+)$/m.exec(text)?.[1]) - 1;
  }

  /** Runs a script of `tools/` with the service's settings, its port included, and resolves to how it ended. */
  run(script: string, args: readonly string[], variables: Variables = {}): Promise<Run> {
    const env = { ...this.installation.variables, ...this.variables, PORT: new URL(this.address).port, ...variables };
    return new Promise((resolve) => {
      execFile(process.execPath, [join(TOOLS, script), ...args], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  /** Kills the process without a chance to clean up. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL');
  }

  /** Stops the process as a debugger does, and lets it go on after the time. */
  async suspend(ms: number): Promise<void> {
    this.child?.kill('SIGSTOP');
    await pause(ms);
    this.child?.kill('SIGCONT');
  }

  /** Asks the process to end and returns its exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return this.signal(signal);
  }

  /** Stops the process if it runs and starts a new one on the same data. */
  async restart(variables: Variables = {}): Promise<void> {
    if (this.child) await this.stop();
    this.variables = { ...this.variables, ...variables };
    await this.launch();
  }

  /** Kills the process and deletes its data. */
  async dispose(): Promise<void> {
    if (this.child) await this.kill();
    await this.installation.dispose();
  }

  private async launch(): Promise<void> {
    if (!existsSync(MAIN)) throw new Error('The service is not built: npm run build.');
    this.output = { stdout: '', stderr: '' };
    const env = { ...this.installation.variables, ...this.variables };
    const child = spawn(process.execPath, commandOf(this.part, this.bundle), { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.output.stderr += text;
      this.logged += text;
    });
    this.ending = new Promise((resolve) => child.once('close', resolve));
    child.once('close', () => (this.child = null));
    this.address = await this.listening(child);
  }

  private listening(child: ChildProcess): Promise<string> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}\n${this.output.stdout}\n${this.output.stderr}`));
      const late = setTimeout(() => fail('The service did not start in time.'), START_WITHIN_MS);
      child.once('exit', (code) => fail(`The service ended at its start with ${code}.`));
      child.stdout?.on('data', () => {
        const [, address] = LISTENING.exec(this.output.stdout) ?? [];
        if (address === undefined) return;
        clearTimeout(late);
        resolve(address);
      });
      child.once('exit', () => clearTimeout(late));
    });
  }

  private signal(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child) return Promise.resolve(null);
    return new Promise((resolve) => {
      child.once('close', (code) => resolve(code));
      child.kill(signal);
    });
  }
}

function commandOf(part: Part, bundle: string): readonly string[] {
  const [file, ...args] = PROGRAMS[part];
  return [join(bundle, file), ...args];
}

/**
 * Starts a service, or a part of it, that is expected to exit, on a new installation unless the variables lead to another.
 * It gets SIGTERM once its log has the text `signalAt`. `code` is null when it had to be killed after the time limit.
 */
export function startThatEnds(
  variables: Variables,
  { part = 'service', signalAt }: { part?: Part; signalAt?: string } = {},
): Promise<{ code: number | null; stderr: string }> {
  const installation = new Installation();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, commandOf(part, BUNDLE), {
      env: { ...DEFAULTS, ...installation.variables, ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: START_WITHIN_MS,
      killSignal: 'SIGKILL',
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (signalAt !== undefined && stderr.includes(signalAt)) child.kill('SIGTERM');
    });
    child.once('close', (code) => {
      void installation.dispose().then(() => resolve({ code, stderr }));
    });
  });
}
