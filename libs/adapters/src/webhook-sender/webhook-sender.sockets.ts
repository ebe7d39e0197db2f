import { LRUCache } from 'lru-cache';
import { NO_TIMINGS } from '@domain/delivery/attempt-timings';
import type { Clock } from '@ports/clock.port';
import { MAX_ATTEMPTS_AT_ONCE, type SendResult, type WebhookRequest, WebhookSender } from '@ports/webhook-sender.port';
import { ConnectionPool } from './connection-pool.js';
import { type Connections, Exchange, type Exchanged } from './exchange.js';
import type { NodeAddressGuard } from './hardening/address-guard.node.js';
import { GuardedConnectors } from './hardening/guarded-connectors.js';
import { type Resolve, resolveByServers, resolveBySystem, resolvePromptly } from './hardening/resolve-promptly.js';
import type { Target } from './hardening/target.js';
import { keptAnswer } from './kept-answer.js';
import { maskFor } from './masks.js';
import { requestAsSent, type RequestAsSent } from './request-as-sent.js';
import { EventLoopStalls } from './event-loop-stalls.js';

export interface SenderOptions {
  readonly timeoutMs: number;
  readonly resolve?: Resolve;
  readonly trustedAuthorities?: string;
  readonly mostIdle?: number;
}

interface Address extends Target {
  readonly host: string;
  readonly path: string;
}

const ADDRESSES_CACHED = 2_000;

export class SocketWebhookSender extends WebhookSender {
  private readonly pool: ConnectionPool;
  private readonly underWay = new Set<Promise<Exchanged>>();
  private readonly stalls: EventLoopStalls;
  private readonly timeoutMs: number;
  private readonly addresses = new LRUCache<string, Address>({ max: ADDRESSES_CACHED });
  private isClosed = false;

  constructor(
    private readonly guard: NodeAddressGuard,
    private readonly clock: Clock,
    options: SenderOptions,
  ) {
    super();
    const resolve = resolvePromptly(resolveBySystem, resolveByServers(clock), clock, options.timeoutMs);
    const settings = { mostIdle: MAX_ATTEMPTS_AT_ONCE, resolve, ...options };
    this.timeoutMs = settings.timeoutMs;
    this.stalls = new EventLoopStalls(clock);
    this.pool = new ConnectionPool(new GuardedConnectors(guard, clock, settings), clock, settings);
  }

  get idleConnections(): number {
    return this.pool.size;
  }

  override async send(request: WebhookRequest, headCame: (status: number) => void = () => undefined): Promise<SendResult> {
    const refused = { kind: 'unreached', requestHeaders: null, timings: NO_TIMINGS, remoteIp: null, durationMs: 0 } as const;
    if (this.isClosed) return { ...refused, error: 'network_error' };
    const address = this.addressOf(request.url);
    if (!address) return { ...refused, error: 'ssrf_blocked' };
    const asSent = asSentTo(address, request);
    if (!asSent) return { ...refused, error: 'network_error' };
    const exchange = new Exchange(asSent, this.connectionsFor(request.projectId, address), this.clock, {
      timeoutMs: this.timeoutMs,
      stalls: this.stalls,
      headCame,
    });
    this.underWay.add(exchange.result);
    exchange.start();
    const raw = await exchange.result;
    this.underWay.delete(exchange.result);
    if (raw.kind !== 'answered') return raw;
    const { requestHeaders, timings, remoteIp, durationMs } = raw;
    return { ...(await keptAnswer(raw, maskFor(request))), requestHeaders, timings, remoteIp, durationMs };
  }

  /** Waits for requests in progress, bounded by their deadline. */
  override async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.underWay);
    this.pool.close();
  }

  private connectionsFor(projectId: string, target: Target): Connections {
    return {
      take: () => this.pool.take(projectId, target),
      dial: (signal, timings) => this.pool.dial(projectId, target, signal, timings),
      keep: (connection, keptAliveMs) => this.pool.keep(projectId, target, connection, keptAliveMs),
    };
  }

  /** Null if the guard objects. Cached, since the guard's rules never change. */
  private addressOf(url: string): Address | null {
    const known = this.addresses.get(url);
    if (known) return known;
    if (this.guard.objection(url) !== null) return null;
    const { origin, protocol, hostname, port, host, pathname, search } = new URL(url);
    const isSecure = protocol === 'https:';
    const address = {
      origin,
      host,
      path: pathname + search,
      isSecure,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (isSecure ? 443 : 80) : Number(port),
    };
    this.addresses.set(url, address);
    return address;
  }
}

function asSentTo({ host, path }: Address, request: WebhookRequest): RequestAsSent | null {
  try {
    return requestAsSent(host, path, request);
  } catch {
    return null;
  }
}
