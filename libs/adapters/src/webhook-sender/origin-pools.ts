import { LRUCache } from 'lru-cache';
import { type buildConnector, Client, type Dispatcher, Pool } from 'undici';
import type { Clock } from '@ports/clock.port';
import type { Exchange, Route } from './exchange.js';
import type { GuardedConnectors } from './hardening/guarded-connectors.js';
import { InterimAnswers } from './hardening/interim-answers.js';

export interface OriginLimits {
  /** A pool costs 17 kB, without its connections. */
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
/** By how much undici's own time-outs exceed the deadline, which they only back up. */
const BACKSTOP_MS = 2000;

interface OpenPool {
  readonly pool: Pool;
  /** As `Clock.elapsed` counts. */
  usedAt: number;
}

/** Pools of connections, one per project and origin: the least recently used and the idle ones are closed. */
export class OriginPools {
  private readonly pools: LRUCache<string, OpenPool>;
  private sweeping: (() => void) | null = null;

  constructor(
    private readonly connectors: GuardedConnectors,
    private readonly clock: Clock,
    private readonly limits: OriginLimits,
  ) {
    // A closed pool first finishes its requests under way.
    this.pools = new LRUCache({ max: limits.maxOrigins, dispose: ({ pool }) => void pool.close() });
  }

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
    const open = this.pools.get(key) ?? { pool: this.open(projectId, origin), usedAt: 0 };
    open.usedAt = this.clock.elapsed();
    this.pools.set(key, open);
    this.sweeping ??= this.clock.after(this.limits.idleMs, () => this.sweep());
    return open.pool;
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

  private sweep(): void {
    const { idleMs } = this.limits;
    const idle = [...this.pools].filter(([, { usedAt }]) => usedAt + idleMs <= this.clock.elapsed());
    idle.forEach(([key]) => this.pools.delete(key));
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
    // The deadline passed while the request waited in the pool's queue: do not connect for it.
    if (exchange.settled) return true;
    exchange.useRoute(this.route);
    return super.dispatch(options, handler);
  }
}

/** A client has one connection at a time, so it knows which address a request reached. */
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
