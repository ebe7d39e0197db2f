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
/** After this time without an attempt the rows are read again: another process may have made the endpoint's attempts. */
const REMEMBERED_FOR_MS = 60_000;

interface KnownHealth {
  failingSince: number | null;
}

type Attempted = Extract<DeliveryEvent, { readonly deliveryId: string; readonly result: unknown }>;

/** Logs attempts, failed deliveries, and endpoints that start to fail or recover, by ids only: no content, no addresses. */
@Injectable()
export class DeliveryLogger {
  private readonly log = new Logger('webhooks');
  private readonly throttle: LogThrottle;
  private readonly endpoints = new LRUCache<string, Promise<KnownHealth>>({
    max: ENDPOINTS_REMEMBERED,
    ttl: REMEMBERED_FOR_MS,
    updateAgeOnGet: true,
  });

  /** Failing endpoints without a log line yet: an endpoint that fails again and again gets one a minute. */
  private readonly unlogged = new LRUCache<string, true>({ max: ENDPOINTS_REMEMBERED });

  constructor(
    private readonly health: EndpointHealth,
    clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Logs events that this process stored; `state` is the state after them. */
  noteStored(events: readonly DeliveryEvent[], state: EventDeliveries): void {
    for (const event of events) {
      const isAttempted = 'result' in event && event.result !== null;
      if (!isAttempted && event.type !== 'DeliveryClaimed') continue;
      const delivery = deliveryOf(state, event.deliveryId);
      if (!delivery || !state.event) continue;
      // Read before the attempt: afterwards its outcome may be in the rows.
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
    if (health.failingSince !== null && !this.unlogged.has(endpoint_id)) return;
    health.failingSince ??= startedAt;
    if (!this.throttle.shouldLog(new Error(endpoint_id))) {
      this.unlogged.set(endpoint_id, true);
      return;
    }
    this.unlogged.delete(endpoint_id);
    const failing_since = toTime(health.failingSince);
    this.log.warn('webhook endpoint began to fail', { endpoint_id, project_id, failing_since, ...outcome });
  }

  private noteSuccess(health: KnownHealth, { endpoint_id, project_id }: About): void {
    const { failingSince } = health;
    if (failingSince === null) return;
    health.failingSince = null;
    if (this.unlogged.delete(endpoint_id)) return;
    this.log.warn('webhook endpoint is well again', { endpoint_id, project_id, failing_since: toTime(failingSince) });
  }

  /** From the rows at this process's first attempt, then from its own attempts. */
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
