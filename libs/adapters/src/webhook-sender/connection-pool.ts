import type { Clock } from '@ports/clock.port';
import type { GuardedConnectors } from './hardening/guarded-connectors.js';
import type { Target } from './hardening/target.js';
import type { DialTimings } from './hardening/dial-timings.js';
import { HttpConnection } from './http-connection.js';

export interface PoolLimits {
  readonly mostIdle: number;
}

const USUAL_IDLE_MS = 4_000;
/** Idle connections are closed this long before the receiver would, so that no request meets its close. */
const IDLE_MARGIN_MS = 2_000;
/** The latest time for a request, so that a changed address takes effect even under steady traffic. */
const MAX_LIFE_MS = 60_000;
const SWEPT_EVERY_MS = 1_000;

/** Idle connections by project and origin, longest unused first; opens new ones. */
export class ConnectionPool {
  private readonly idle = new Map<string, HttpConnection[]>();
  private count = 0;
  private sweeping: (() => void) | null = null;
  private isClosed = false;

  constructor(
    private readonly connectors: GuardedConnectors,
    private readonly clock: Clock,
    private readonly limits: PoolLimits,
  ) {}

  get size(): number {
    return this.count;
  }

  take(projectId: string, target: Target): HttpConnection | null {
    const key = keyOf(projectId, target);
    for (let kept = this.pop(key); kept; kept = this.pop(key)) {
      if (this.mayCarry(kept)) return kept;
      kept.drop();
    }
    return null;
  }

  /** A new connection. Rejects if there is none, and on abort. Notes in `timings` how long its steps took. */
  async dial(projectId: string, target: Target, signal: AbortSignal, timings?: DialTimings): Promise<HttpConnection> {
    const begunAt = this.clock.elapsed();
    return new HttpConnection(await this.connectors.connect(projectId, target, signal, timings), begunAt);
  }

  /** Keeps a connection whose answer is complete; `keptAliveMs` is the time its receiver promises. */
  keep(projectId: string, target: Target, connection: HttpConnection, keptAliveMs: number | null): void {
    const now = this.clock.elapsed();
    const idleMs = keptAliveMs === null ? USUAL_IDLE_MS : keptAliveMs - IDLE_MARGIN_MS;
    connection.idleUntil = Math.min(now + idleMs, connection.madeAt + MAX_LIFE_MS);
    if (this.isClosed || !this.mayCarry(connection)) return connection.drop();
    const key = keyOf(projectId, target);
    const same = this.idle.get(key) ?? [];
    this.idle.delete(key);
    this.idle.set(key, [...same, connection]);
    if (++this.count > this.limits.mostIdle) this.dropOldest();
    this.sweeping ??= this.clock.after(SWEPT_EVERY_MS, () => this.sweep());
  }

  close(): void {
    this.isClosed = true;
    this.sweeping?.();
    this.retain(() => false);
  }

  private mayCarry({ isGone, idleUntil }: HttpConnection): boolean {
    return !isGone && this.clock.elapsed() < idleUntil;
  }

  private pop(key: string): HttpConnection | null {
    const same = this.idle.get(key);
    const last = same?.pop();
    if (same?.length === 0) this.idle.delete(key);
    if (last) this.count--;
    return last ?? null;
  }

  private dropOldest(): void {
    const [oldest] = this.idle.keys();
    if (oldest !== undefined) this.pop(oldest)?.drop();
  }

  private sweep(): void {
    this.retain((connection) => this.mayCarry(connection));
    this.sweeping = this.count > 0 ? this.clock.after(SWEPT_EVERY_MS, () => this.sweep()) : null;
  }

  private retain(mayStay: (connection: HttpConnection) => boolean): void {
    this.count = 0;
    for (const [key, connections] of this.idle) {
      const staying = connections.filter(mayStay);
      for (const connection of connections) if (!staying.includes(connection)) connection.drop();
      if (staying.length > 0) this.idle.set(key, staying);
      else this.idle.delete(key);
      this.count += staying.length;
    }
  }
}

function keyOf(projectId: string, { origin }: Target): string {
  return `${projectId} ${origin}`;
}
