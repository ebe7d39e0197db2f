import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { Clock } from '@ports/clock.port';
import type { Exchange, Route } from './exchange.js';
import type { GuardedConnectors } from './hardening/guarded-connectors.js';
import { InterimAnswers } from './hardening/interim-answers.js';

export interface OriginLimits {
  /** A pool in its own right costs 17 kB. */
  readonly maxOrigins: number;
  readonly connectionsPerOrigin: number;
  readonly idleMs: number;
  readonly timeoutMs: number;
}

export interface ExchangeOptions extends Dispatcher.DispatchOptions {
  readonly exchange: Exchange;
}

const MOST_HEADER_BYTES = 16 * 1024;
const KEEP_ALIVE_MS = 4000;
const LONGEST_KEEP_ALIVE_MS = 60_000;
/** The HTTP client's own timeouts stand behind the deadline. */
const BACKSTOP_MS = 2000;

/** The pools of connections, one per project and origin: the least recently used and the idle ones are closed. */
export class OriginPools {
  private readonly pools = new Map<string, { pool: Pool; usedAt: number }>();
  private sweeping: (() => void) | null = null;

  constructor(
    private readonly connectors: GuardedConnectors,
    private readonly clock: Clock,
    private readonly limits: OriginLimits,
  ) {}

  get size(): number {
    return this.pools.size;
  }

  dispatch(projectId: string, options: ExchangeOptions): void {
    this.poolOf(projectId, `${options.origin}`).dispatch(options, options.exchange);
  }

  async close(): Promise<void> {
    this.sweeping?.();
    const pools = [...this.pools.values()];
    this.pools.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  private poolOf(projectId: string, origin: string): Pool {
    const key = `${projectId} ${origin}`;
    const pool = this.pools.get(key)?.pool ?? this.open(projectId, origin);
    this.pools.delete(key);
    this.pools.set(key, { pool, usedAt: this.clock.elapsed() });
    const [eldest] = this.pools.keys();
    if (this.pools.size > this.limits.maxOrigins && eldest !== undefined) this.retire(eldest);
    this.sweeping ??= this.clock.after(this.limits.idleMs, () => this.sweep());
    return pool;
  }

  private open(projectId: string, origin: string): Pool {
    return new Pool(origin, {
      connections: this.limits.connectionsPerOrigin,
      factory: (url, options) => routedClient(url, options as Client.Options, this.connectors.make(projectId)),
      maxHeaderSize: MOST_HEADER_BYTES,
      headersTimeout: this.limits.timeoutMs + BACKSTOP_MS,
      bodyTimeout: this.limits.timeoutMs + BACKSTOP_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: LONGEST_KEEP_ALIVE_MS,
    });
  }

  /** What is under way in it is finished first. */
  private retire(key: string): void {
    const retired = this.pools.get(key);
    this.pools.delete(key);
    void retired?.pool.close();
  }

  private sweep(): void {
    const { idleMs } = this.limits;
    const idle = [...this.pools].filter(([, { usedAt }]) => usedAt + idleMs <= this.clock.elapsed());
    idle.forEach(([key]) => this.retire(key));
    this.sweeping = this.pools.size > 0 ? this.clock.after(idleMs, () => this.sweep()) : null;
  }
}

class RoutedClient extends Client {
  constructor(
    origin: URL,
    options: Client.Options,
    private readonly route: Route,
  ) {
    super(origin, options);
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { exchange } = options as ExchangeOptions;
    // It waited in the pool's queue until its deadline: that is no reason to connect.
    if (exchange.settled) return true;
    exchange.travelOn(this.route);
    return super.dispatch(options, handler);
  }
}

/** A client is one connection at a time, so it knows which address a request reached. */
function routedClient(origin: URL, options: Client.Options, connector: buildConnector.connector): Client {
  const route: Route = { socket: null, interim: null, remoteAddress: null };
  const connect: buildConnector.connector = (target, callback) => {
    connector(target, (...outcome) => {
      const [, socket] = outcome;
      route.socket = socket;
      route.interim = socket && new InterimAnswers(socket);
      route.remoteAddress = socket?.remoteAddress ?? null;
      callback(...outcome);
    });
  };
  return new RoutedClient(origin, { ...options, connect }, route);
}
