import type { Credentials } from '@eventstore/db-client';
import { EngineNotOpened } from '@ports/engine.port';

/** For a server without TLS, which ignores credentials. */
const INSECURE: Credentials = { username: 'admin', password: 'changeit' };
const LOOPBACK = /^(localhost|127(\.\d+){3})$/i;
const SCHEME = /^esdb(?:\+discover)?:\/\//;
const OPTIONS_BEGIN = /\/?\?(?=\w+=)/;

export class ConnectionString {
  readonly credentials: Credentials;
  readonly shown: string;
  /** For the driver, without user and password: it prints the string if an option is unknown. */
  private readonly withoutUser: string;

  constructor(url: string) {
    const [scheme = ''] = SCHEME.exec(url) ?? [];
    const [address = ''] = url.slice(scheme.length).split(OPTIONS_BEGIN, 1);
    const at = address.lastIndexOf('@');
    const user = at === -1 ? undefined : address.slice(0, at);
    const [name = '', password] = user?.split(/:(.*)/s, 2) ?? [];
    this.withoutUser = scheme + url.slice(scheme.length + at + 1);
    this.shown = user === undefined ? url : this.withoutUser.replace(scheme, () => `${scheme}${name}:***@`);
    if (scheme === '') throw this.refusal('does not begin with esdb:// or esdb+discover://');
    if (user !== undefined && (name === '' || !password)) throw this.refusal('needs <user>:<password> before the @');
    if (user === undefined && this.option('tls') !== 'false')
      throw this.refusal('names no user: write <user>:<password>@ before the host, or tls=false for a server without users');
    this.credentials = user === undefined ? INSECURE : { username: this.decoded(name), password: this.decoded(password ?? '') };
  }

  get isExposed(): boolean {
    const hosts = this.withoutUser.replace(SCHEME, '').split(/[/?]/, 1)[0] ?? '';
    const isLoopback = (host: string): boolean => LOOPBACK.test(host.replace(/:\d+$/, ''));
    return this.option('tls') === 'false' && !hosts.split(',').every(isLoopback);
  }

  /** Unique per client: clients with equal options would share a connection, even a dead one. */
  forClient(generation: number): string {
    const keepAlive = Number(this.option('keepAliveInterval') ?? KEEP_ALIVE_MS) + generation;
    const [address, ...options] = this.withoutUser.split(/[?&]/);
    const others = options.filter((option) => !/^(keepAliveInterval|throwOnAppendFailure)=/i.test(option));
    const missing = OPTIONS.filter(([name]) => this.option(name) === undefined).map(([name, value]) => `${name}=${value}`);
    return `${address}?${[...others, ...missing, `keepAliveInterval=${keepAlive}`].join('&')}`;
  }

  private option(name: string): string | undefined {
    return new RegExp(`[?&]${name}=([^&]*)`, 'i').exec(this.withoutUser)?.[1];
  }

  private decoded(part: string): string {
    try {
      return decodeURIComponent(part);
    } catch {
      throw this.refusal('has a % in its user or password that begins no escape: write %25 for it');
    }
  }

  private refusal(why: string): EngineNotOpened {
    return new EngineNotOpened(`EVENTSTORE_URL: ${this.shown} ${why}`);
  }
}

const KEEP_ALIVE_MS = 10_000;
/** Defaults that the operator's string may override. */
const OPTIONS = [
  ['keepAliveTimeout', 5_000],
  // In seconds: the search for the leader waits this long for each silent node.
  ['gossipTimeout', 1],
] as const;
