import type { Credentials } from '@eventstore/db-client';
import { EngineNotOpened } from '@ports/engine.port';

/** What a server without TLS has; it ignores credentials. */
const INSECURE: Credentials = { username: 'admin', password: 'changeit' };
const LOOPBACK = /^(localhost|127(\.\d+){3})$/i;
const SCHEME = /^esdb(\+discover)?:\/\//;
const CREDENTIALS = /^(esdb(?:\+discover)?:\/\/)([^:@/?]+):([^@]+)@/;

/** The operator's connection string of EventStoreDB. */
export class ConnectionString {
  readonly credentials: Credentials;
  /** For logs: without the password. */
  readonly shown: string;

  /** Throws `EngineNotOpened` where it is none. */
  constructor(private readonly url: string) {
    this.shown = url.replace(CREDENTIALS, '$1$2:***@');
    if (!SCHEME.test(url))
      throw new EngineNotOpened(`EVENTSTORE_URL: ${this.shown} does not begin with esdb:// or esdb+discover://`);
    const [, , username, password] = CREDENTIALS.exec(url) ?? [];
    if (username === undefined || password === undefined) this.credentials = INSECURE;
    else this.credentials = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  }

  /** Whether everything travels unencrypted to another machine. */
  get isExposed(): boolean {
    const hosts = this.url.replace(CREDENTIALS, '$1').replace(SCHEME, '').split(/[/?]/, 1)[0] ?? '';
    const isLoopback = (host: string): boolean => LOOPBACK.test(host.replace(/:\d+$/, ''));
    return this.option('tls') === 'false' && !hosts.split(',').every(isLoopback);
  }

  /** The string for one client. Two clients with the same options would share a connection, also one that is dead. */
  forClient(generation: number): string {
    const keepAlive = Number(this.option('keepAliveInterval') ?? KEEP_ALIVE_MS) + generation;
    const [address, ...options] = this.url.split(/[?&]/);
    const others = options.filter((option) => !/^(keepAliveInterval|throwOnAppendFailure)=/i.test(option));
    const missing = OPTIONS.filter(([name]) => this.option(name) === undefined).map(([name, value]) => `${name}=${value}`);
    return `${address}?${[...others, ...missing, `keepAliveInterval=${keepAlive}`].join('&')}`;
  }

  private option(name: string): string | undefined {
    return new RegExp(`[?&]${name}=([^&]*)`, 'i').exec(this.url)?.[1];
  }
}

const KEEP_ALIVE_MS = 10_000;
/** Options that the operator's string may have. */
const OPTIONS = [
  ['keepAliveTimeout', 5_000],
  // Seconds: a node that is silent holds up the search for the leader by these.
  ['gossipTimeout', 1],
] as const;
