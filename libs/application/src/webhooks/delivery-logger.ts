import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Delivery } from '@domain/delivery/delivery';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { deliveryOf, type EventDeliveries } from '@domain/delivery/event-deliveries';
import { Clock } from '@ports/clock.port';
import { toTime } from '../read-models/time.resource.js';
import { LogThrottle } from '../runtime/log-throttle.js';
import { EndpointHealth } from './endpoints/endpoint-health.js';

const ENDPOINTS_REMEMBERED = 10_000;
/** After this time without an attempt the rows are asked again: another process may have made the endpoint's attempts. */
const REMEMBERED_FOR_MS = 60_000;

interface KnownHealth {
  failingSince: number | null;
}

type Attempted = Extract<DeliveryEvent, { readonly deliveryId: string; readonly result: unknown }>;

/**
 * Tells the log of attempts, of deliveries that failed for good, and of endpoints that begin to fail or are well again, by the ids
 * of all of them: neither what was sent or answered nor an address.
 */
@Injectable()
export class DeliveryLogger {
  private readonly log = new Logger('webhooks');
  private readonly throttle: LogThrottle;
  private readonly endpoints = new LRUCache<string, Promise<KnownHealth>>({
    max: ENDPOINTS_REMEMBERED,
    ttl: REMEMBERED_FOR_MS,
    updateAgeOnGet: true,
  });

  /** Endpoints that fail though no line tells of it yet: those that fail again and again get one a minute. */
  private readonly untold = new LRUCache<string, true>({ max: ENDPOINTS_REMEMBERED });

  constructor(
    private readonly health: EndpointHealth,
    clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** These events were stored by this process, which left the deliveries of their event so. */
  noteStored(events: readonly DeliveryEvent[], state: EventDeliveries): void {
    for (const event of events) {
      const isAttempted = 'result' in event && event.result !== null;
      if (!isAttempted && event.type !== 'DeliveryClaimed') continue;
      const delivery = deliveryOf(state, event.deliveryId);
      if (!delivery || !state.event) continue;
      // Before the attempt is made: afterwards its outcome may be in the rows.
      const known = this.knownHealth(delivery.endpointId);
      if (isAttempted) this.noteAttempt(event, delivery, state.event, known);
    }
  }

  private noteAttempt(
    event: Attempted,
    delivery: Delivery,
    { eventId, projectId }: NonNullable<EventDeliveries['event']>,
    known: Promise<KnownHealth>,
  ): void {
    const { result } = event;
    if (!result) return;
    const about = { event_id: eventId, endpoint_id: delivery.endpointId, delivery_id: delivery.id, project_id: projectId };
    const outcome = {
      ...(result.status === null ? {} : { response_status: result.status }),
      ...(result.errorCode === null ? {} : { error_code: result.errorCode }),
    };
    const { attempt, durationMs } = result;
    const next = event.type === 'DeliveryRetryScheduled' ? { next_attempt_at: toTime(event.dueAt) } : {};
    this.log.debug('webhook attempt', { ...about, attempt, ...outcome, duration_ms: durationMs ?? undefined, ...next });
    if (event.type === 'DeliveryFailed') {
      this.log.warn('webhook delivery failed for good', { ...about, reason: event.reason, attempts: attempt, ...outcome });
    }
    const isSuccess = event.type === 'DeliverySucceeded';
    const { startedAt } = result;
    void known.then((health) =>
      isSuccess ? this.noteSuccess(health, about) : this.noteFailure(health, startedAt, about, outcome),
    );
  }

  private noteFailure(health: KnownHealth, startedAt: number, { endpoint_id, project_id }: About, outcome: object): void {
    if (health.failingSince !== null && !this.untold.has(endpoint_id)) return;
    health.failingSince ??= startedAt;
    if (!this.throttle.shouldLog(new Error(endpoint_id))) {
      this.untold.set(endpoint_id, true);
      return;
    }
    this.untold.delete(endpoint_id);
    const failing_since = toTime(health.failingSince);
    this.log.warn('webhook endpoint began to fail', { endpoint_id, project_id, failing_since, ...outcome });
  }

  private noteSuccess(health: KnownHealth, { endpoint_id, project_id }: About): void {
    const { failingSince } = health;
    if (failingSince === null) return;
    health.failingSince = null;
    if (this.untold.delete(endpoint_id)) return;
    this.log.warn('webhook endpoint is well again', { endpoint_id, project_id, failing_since: toTime(failingSince) });
  }

  /** As the rows show it when this process makes its first attempt, and as its attempts leave it from then on. */
  private knownHealth(endpointId: string): Promise<KnownHealth> {
    const known = this.endpoints.get(endpointId);
    if (known) return known;
    const found = this.health.stored([endpointId]).then(
      (since) => ({ failingSince: since.get(endpointId) ?? null }),
      () => ({ failingSince: null }),
    );
    this.endpoints.set(endpointId, found);
    return found;
  }
}

interface About {
  readonly endpoint_id: string;
  readonly project_id: string;
}
