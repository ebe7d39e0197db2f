import { Budget } from '@kit/budget';
import type { Clock } from '@ports/clock.port';
import type { Assignment } from '@ports/message-bus.port';
import { MAX_ATTEMPTS_AT_ONCE as PLACES } from '@ports/webhook-sender.port';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { EndpointConcurrency } from './endpoint-concurrency.js';
import type { PacedAttempt } from './endpoint-pace.js';

/** A project's share of the pool: the others get places even while hundreds of its endpoints hang. */
const MAX_OF_A_PROJECT = (PLACES * 7) / 8;
/** From so many open attempts on, endpoints of large projects get a small limit; from `NEARLY_FULL` on, a limit of one. */
const CROWDED = PLACES / 2;
const NEARLY_FULL = (PLACES * 3) / 4;
/** A project with fewer open attempts keeps its limits, even in a crowded or almost full pool. */
const LITTLE = { crowded: PLACES / 8, nearlyFull: PLACES / 32 };
const RETRIED_AT_ONCE = 8;
const MAX_ENDPOINTS = 10_000;

type Target = Pick<DeliveryPointer, 'projectId' | 'endpointId' | 'bulk'>;

export interface StartedAttempt extends Pick<PacedAttempt, 'found' | 'sends'> {
  /** Frees the endpoint for another attempt. `well`: whether this one succeeded quickly; null if nothing was sent. */
  answered(well: boolean | null): void;
  /** The outcome is stored: frees the place in the pool. */
  ended(): void;
}

/**
 * Limits attempts per endpoint, by a limit that adapts to its answers and by its rate limit, and in total (the pool). In a crowded
 * pool large projects get less, so that many hanging endpoints leave room for other projects.
 */
export class ConcurrencyLimiter {
  private readonly endpoints = new Map<string, EndpointConcurrency>();
  private readonly pool = new Budget({ total: PLACES, perOwner: PLACES, least: 0 });
  /** Endpoints that only the crowded pool keeps from starting. */
  private readonly throttled = new Set<string>();

  constructor(private readonly clock: Clock) {}

  /** Attempts whose outcome is not stored yet. */
  get open(): number {
    return this.pool.held;
  }

  get isFull(): boolean {
    return this.open >= PLACES;
  }

  get size(): number {
    return this.endpoints.size;
  }

  /** Whether the pool has a place in addition to the reserved ones. */
  hasPlaceBeside(reserved: number): boolean {
    return this.open + reserved < PLACES;
  }

  openOf(endpointId: string): number {
    return this.endpoints.get(endpointId)?.open ?? 0;
  }

  /** Records by which assignment this process holds the endpoint's partition. */
  assign(endpointId: string, assignment: Assignment): void {
    this.endpointOf(endpointId).pace.assign(assignment);
  }

  /** Whether this process has lost the endpoint's partition. */
  isRevoked(endpointId: string): boolean {
    return this.endpoints.get(endpointId)?.pace.isRevoked ?? false;
  }

  /** Whether the endpoint's limits have room; the pool may be full. `liveWaits`: whether live deliveries wait for the endpoint. */
  mayStart({ projectId, endpointId, bulk = false }: Target, liveWaits = false): boolean {
    const endpoint = this.endpointOf(endpointId);
    return hasRoom(endpoint, this.limitOf(projectId, endpoint), bulk, liveWaits) && endpoint.pace.mayStart(this.clock.elapsed());
  }

  /** How long the endpoint's pace alone delays its next attempt; null if that is known only after another one has begun to send. */
  pacedFor(endpointId: string): number | null {
    return this.endpointOf(endpointId).pace.waitMs(this.clock.elapsed());
  }

  /** Whether one of the endpoint's own limits is reached, so that a place in the pool would not help. */
  isAtLimit(endpointId: string): boolean {
    const endpoint = this.endpoints.get(endpointId);
    if (!endpoint) return false;
    return endpoint.unanswered >= endpoint.limit || !endpoint.pace.mayStart(this.clock.elapsed());
  }

  /** The pool must have a place. */
  start({ projectId, endpointId, bulk = false }: Target): StartedAttempt {
    const endpoint = this.endpointOf(endpointId);
    const slot = this.pool.tryEnter(projectId, 1);
    if (!slot) throw new Error('the pool of attempts is full');
    endpoint.unanswered++;
    endpoint.unansweredBulk += Number(bulk);
    endpoint.open++;
    const { found, sends, ended } = endpoint.pace.begin(() => this.clock.elapsed());
    return {
      found,
      sends,
      answered: (well) => {
        endpoint.unanswered--;
        endpoint.unansweredBulk -= Number(bulk);
        if (well !== null) endpoint.judge(well);
      },
      ended: () => {
        ended();
        endpoint.open--;
        slot.leave();
      },
    };
  }

  /** Remembers an endpoint that only the crowded pool delays. One at its own limit is resumed by an answer or by its pace. */
  throttle({ endpointId, bulk = false }: Target, liveWaits: boolean): void {
    const endpoint = this.endpointOf(endpointId);
    const isAtLimit = this.isAtLimit(endpointId) || !hasRoom(endpoint, endpoint.limit, bulk, liveWaits);
    if (!isAtLimit) this.throttled.add(endpointId);
  }

  unthrottle(endpointId: string): void {
    this.throttled.delete(endpointId);
  }

  /** Throttled endpoints to retry: all, or in a crowded pool as many as may find room; none when it is almost full. */
  *takeThrottled(): Generator<string> {
    if (this.open >= NEARLY_FULL) return;
    let left = this.isCrowded ? RETRIED_AT_ONCE : Infinity;
    for (const endpointId of this.throttled) {
      if (left-- <= 0) return;
      this.throttled.delete(endpointId);
      yield endpointId;
    }
  }

  /** Forgets an idle endpoint if its state is initial or too many endpoints are remembered. Returns whether it did. */
  forget(endpointId: string): boolean {
    const endpoint = this.endpoints.get(endpointId);
    const mayGo = endpoint?.isInitial || (endpoint?.open === 0 && this.endpoints.size > MAX_ENDPOINTS);
    return mayGo === true && this.endpoints.delete(endpointId);
  }

  private get isCrowded(): boolean {
    return this.open >= CROWDED;
  }

  private limitOf(projectId: string, { limit, crowdedLimit }: EndpointConcurrency): number {
    if (!this.isCrowded) return limit;
    const held = this.pool.heldBy(projectId);
    const isNearlyFull = this.open >= NEARLY_FULL;
    if (held >= MAX_OF_A_PROJECT) return 0;
    if (held < (isNearlyFull ? LITTLE.nearlyFull : LITTLE.crowded)) return limit;
    return isNearlyFull ? 1 : crowdedLimit;
  }

  private endpointOf(endpointId: string): EndpointConcurrency {
    const known = this.endpoints.get(endpointId);
    if (known) return known;
    const fresh = new EndpointConcurrency();
    this.endpoints.set(endpointId, fresh);
    return fresh;
  }
}

function hasRoom(endpoint: EndpointConcurrency, places: number, bulk: boolean, liveWaits: boolean): boolean {
  if (endpoint.unanswered >= places) return false;
  return !bulk || endpoint.unansweredBulk < endpoint.bulkShare(places, liveWaits);
}
