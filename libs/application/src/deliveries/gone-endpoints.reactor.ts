import { Injectable } from '@nestjs/common';
import type { CancelReason } from '@domain/delivery/delivery.events';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { Clock } from '@ports/clock.port';
import type { Recorded } from '@ports/event-store.port';
import type { Reactor } from '../reactors/reactor.js';
import { DeliveryStreams } from './delivery-streams.js';
import { DueDeliveries } from './due-deliveries.js';

const BATCH = 500;
const ENDPOINTS = 'endpoints-';

/**
 * Cancels what waits for an endpoint that was deleted or disabled. What it misses is cancelled when it comes due: no
 * attempt begins without a look at the endpoint.
 */
@Injectable()
export class GoneEndpointsReactor implements Reactor {
  readonly name = 'gone-endpoints';
  readonly categories = ['endpoints'];

  constructor(
    private readonly found: DueDeliveries,
    private readonly streams: DeliveryStreams,
    private readonly clock: Clock,
  ) {}

  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    for (const { stream, event } of events as readonly Recorded<EndpointEvent>[]) {
      const reason = reasonOf(event);
      if (reason) await this.cancelAll(stream.slice(ENDPOINTS.length), event.endpointId, reason, signal);
    }
  }

  private async cancelAll(projectId: string, endpointId: string, reason: CancelReason, signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const waiting = await this.found.waitingFor(projectId, endpointId, BATCH);
      const at = this.clock.now();
      const cancelled = await Promise.all(
        waiting.map(async ({ eventId, deliveryId }) => {
          const command = { type: 'CancelDelivery', at, deliveryId, reason } as const;
          return (await this.streams.submit(eventId, command)).events.length;
        }),
      );
      if (cancelled.every((count) => count === 0)) return;
    }
  }
}

function reasonOf(event: EndpointEvent): CancelReason | null {
  if (event.type === 'EndpointDeleted') return 'endpoint_deleted';
  return event.type === 'EndpointUpdated' && event.changes.status === 'disabled' ? 'endpoint_disabled' : null;
}
