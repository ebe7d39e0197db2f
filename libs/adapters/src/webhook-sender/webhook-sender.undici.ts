import { LRUCache } from 'lru-cache';
import type { Clock } from '@ports/clock.port';
import { MOST_ATTEMPTS_AT_ONCE, type SendResult, type WebhookRequest, WebhookSender } from '@ports/webhook-sender.port';
import type { NodeAddressGuard } from './hardening/address-guard.node.js';
import { GuardedConnectors } from './hardening/guarded-connectors.js';
import { Exchange } from './exchange.js';
import { type Resolve, resolveByServers, resolveBySystem, resolvePromptly } from './hardening/resolve-promptly.js';
import { OriginPools } from './origin-pools.js';
import { withoutSignatures } from './without-signatures.js';

export interface UndiciOptions {
  readonly timeoutMs: number;
  readonly resolve?: Resolve;
  readonly trustedAuthorities?: string;
  readonly maxOrigins?: number;
  readonly connectionsPerOrigin?: number;
  readonly idleMs?: number;
}

/** As many connections as concurrent attempts: an attempt that had to queue for one would use up its deadline. */
const DEFAULTS = { maxOrigins: MOST_ATTEMPTS_AT_ONCE, connectionsPerOrigin: MOST_ATTEMPTS_AT_ONCE, idleMs: 60_000 };
/** Headers that describe the connection or the framing: an endpoint's custom headers cannot set them. */
const OF_THE_CONNECTION = new Set(
  'accept-encoding connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

interface Target {
  readonly origin: string;
  readonly path: string;
}

const TARGETS_CACHED = 2_000;

/** Sends webhooks with undici over guarded connections, which are kept alive per project and origin; reads bounded answers. */
export class UndiciWebhookSender extends WebhookSender {
  private readonly origins: OriginPools;
  private readonly underWay = new Set<Promise<SendResult>>();
  private readonly timeoutMs: number;
  private readonly targets = new LRUCache<string, Target>({ max: TARGETS_CACHED });
  private isClosed = false;

  constructor(
    private readonly guard: NodeAddressGuard,
    private readonly clock: Clock,
    options: UndiciOptions,
  ) {
    super();
    const resolve = resolvePromptly(resolveBySystem, resolveByServers(), clock, options.timeoutMs);
    const settings = { ...DEFAULTS, resolve, ...options };
    this.timeoutMs = settings.timeoutMs;
    this.origins = new OriginPools(new GuardedConnectors(guard, clock, settings), clock, settings);
  }

  /** The number of open connection pools. */
  get openOrigins(): number {
    return this.origins.size;
  }

  async send(request: WebhookRequest): Promise<SendResult> {
    const refused = { kind: 'unreached', remoteIp: null, durationMs: 0 } as const;
    if (this.isClosed) return { ...refused, error: 'network_error' };
    const target = this.targetOf(request.url);
    if (!target) return { ...refused, error: 'ssrf_blocked' };
    const exchange = new Exchange(this.clock);
    const cancel = this.clock.after(this.timeoutMs, () => exchange.expire());
    this.start(request, target, exchange);
    this.underWay.add(exchange.result);
    try {
      return withoutSignatures(await exchange.result, request.headers);
    } finally {
      cancel();
      this.underWay.delete(exchange.result);
    }
  }

  /** Waits for the requests under way; their deadline bounds the wait. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all(this.underWay);
    await this.origins.close();
  }

  /** Null where the guard objects. Cached, since the guard's rules never change. */
  private targetOf(url: string): Target | null {
    const known = this.targets.get(url);
    if (known) return known;
    if (this.guard.objection(url) !== null) return null;
    const { origin, pathname, search } = new URL(url);
    const target = { origin, path: pathname + search };
    this.targets.set(url, target);
    return target;
  }

  private start({ projectId, headers, body }: WebhookRequest, { origin, path }: Target, exchange: Exchange): void {
    const sent = ['accept-encoding', 'identity'];
    for (const [name, value] of Object.entries(headers)) {
      if (!OF_THE_CONNECTION.has(name.toLowerCase())) sent.push(name, value);
    }
    try {
      this.origins.dispatch(projectId, {
        exchange,
        origin,
        path,
        method: 'POST',
        headers: sent,
        body,
      });
    } catch (error) {
      exchange.fail(error);
    }
  }
}
