import { Budget } from '@kit/budget';
import { MAX_ATTEMPTS_AT_ONCE as PLACES } from '@ports/webhook-sender.port';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { EndpointConcurrency } from './endpoint-concurrency.js';

/** What one project may have of the pool: the others get something also while hundreds of its endpoints hang. */
const MAX_OF_A_PROJECT = (PLACES * 7) / 8;
/** While so much is open, a project that has much gets the small limits, and single attempts in a pool that is nearly full. */
const CROWDED = PLACES / 2;
const NEARLY_FULL = (PLACES * 3) / 4;
/** A project with fewer open attempts than this keeps its limits, in a crowded pool and in one that is nearly full. */
const LITTLE = { crowded: PLACES / 8, nearlyFull: PLACES / 32 };
const RETRIED_AT_ONCE = 8;
const MAX_ENDPOINTS = 10_000;

type Target = Pick<DeliveryPointer, 'projectId' | 'endpointId'>;

/** An attempt that has started. */
export interface StartedAttempt {
  /** The endpoint has answered, and so has room for another: with whether it went well, null where nothing was sent. */
  answered(well: boolean | null): void;
  /** The outcome is stored, which gives the place in the pool back. */
  ended(): void;
}

/**
 * Who may start an attempt: bounds those of an endpoint, which adapt to how it answers, and those of all together, the pool.
 * In a crowded pool the limits of projects that have much of it shrink, so that endpoints that hang, be they many, leave
 * room for other projects.
 */
export class ConcurrencyLimiter {
  private readonly endpoints = new Map<string, EndpointConcurrency>();
  /** By project. */
  private readonly pool = new Budget({ total: PLACES, perOwner: PLACES, least: 0 });
  /** Endpoints with work that nothing but the crowded pool keeps from starting. */
  private readonly throttled = new Set<string>();

  /** Attempts whose outcome is not stored yet. */
  get open(): number {
    return this.pool.held;
  }

  get isFull(): boolean {
    return this.open >= PLACES;
  }

  /** How many endpoints are remembered. */
  get size(): number {
    return this.endpoints.size;
  }

  /** Whether the pool has a place beside so many that are reserved. */
  hasPlaceBeside(reserved: number): boolean {
    return this.open + reserved < PLACES;
  }

  /** Attempts of this endpoint whose outcome is not stored yet. */
  openOf(endpointId: string): number {
    return this.endpoints.get(endpointId)?.open ?? 0;
  }

  /** Whether the endpoint's limit leaves room now; the pool itself may be full. */
  mayStart({ projectId, endpointId }: Target): boolean {
    const endpoint = this.endpointOf(endpointId);
    return endpoint.unanswered < this.limitOf(projectId, endpoint);
  }

  /** Whether the endpoint itself has been sent as much as it may: no place in the pool would help. */
  isAtLimit(endpointId: string): boolean {
    const endpoint = this.endpoints.get(endpointId);
    return endpoint !== undefined && endpoint.unanswered >= endpoint.limit;
  }

  /** To be called with a place in the pool. */
  start({ projectId, endpointId }: Target): StartedAttempt {
    const endpoint = this.endpointOf(endpointId);
    const slot = this.pool.tryEnter(projectId, 1);
    if (!slot) throw new Error('the pool of attempts is full');
    endpoint.unanswered++;
    endpoint.open++;
    return {
      answered: (well) => {
        endpoint.unanswered--;
        if (well !== null) endpoint.judge(well);
      },
      ended: () => {
        endpoint.open--;
        slot.leave();
      },
    };
  }

  /** Remembers an endpoint that may not start for nothing but the crowded pool. One at its own limit is tried at its next answer. */
  throttle(endpointId: string): void {
    const { unanswered, limit } = this.endpointOf(endpointId);
    if (unanswered < limit) this.throttled.add(endpointId);
  }

  unthrottle(endpointId: string): void {
    this.throttled.delete(endpointId);
  }

  /** Throttled endpoints to be tried again: all, or while it is crowded as many as may find room, none in a pool nearly full. */
  *takeThrottled(): Generator<string> {
    if (this.open >= NEARLY_FULL) return;
    let left = this.isCrowded ? RETRIED_AT_ONCE : Infinity;
    for (const endpointId of this.throttled) {
      if (left-- <= 0) return;
      this.throttled.delete(endpointId);
      yield endpointId;
    }
  }

  /** Forgets an endpoint with nothing open whose limit is as it began, or where too many are remembered. Whether it did. */
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
