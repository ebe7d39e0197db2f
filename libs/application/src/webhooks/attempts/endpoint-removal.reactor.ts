import { Injectable } from '@nestjs/common';
import type { CancelReason } from '@domain/delivery/delivery.events';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import type { Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-category';
import { causedBy } from '../../runtime/caused-by.js';
import type { Reactor } from '../../runtime/reactor.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { DueDeliveries } from '../due-deliveries.js';

const BATCH = 500;

/** Cancels only what was waiting then: the endpoint may be enabled again. A missed delivery is cancelled by its next attempt. */
@Injectable()
export class EndpointRemovalReactor implements Reactor {
  readonly name = 'gone-endpoints';
  readonly categories = ['endpoints'];

  constructor(
    private readonly found: DueDeliveries,
    private readonly streams: DeliveryStreams,
    private readonly clock: Clock,
  ) {}

  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    for (const record of events as readonly Recorded<EndpointEvent>[]) {
      const reason = cancelReasonOf(record.event);
      if (reason) await this.cancelAll(record, reason, signal);
    }
  }

  private async cancelAll(gone: Recorded<EndpointEvent>, reason: CancelReason, signal: AbortSignal): Promise<void> {
    const envelope = causedBy(gone);
    const endpoint = { projectId: idIn(gone.stream), endpointId: gone.event.endpointId };
    for (;;) {
      signal.throwIfAborted();
      const waiting = await this.found.waitingFor(endpoint, gone.position, BATCH, signal);
      const cancelled = await Promise.all(waiting.map((pointer) => this.cancel(pointer, reason, envelope)));
      if (cancelled.every((count) => count === 0)) return;
    }
  }

  private async cancel({ eventId, deliveryId }: DeliveryPointer, reason: CancelReason, envelope: Envelope): Promise<number> {
    const command = { type: 'CancelDelivery', at: this.clock.now(), deliveryId, reason } as const;
    return (await this.streams.submit(eventId, command, envelope)).events.length;
  }
}

function cancelReasonOf(event: EndpointEvent): CancelReason | null {
  if (event.type === 'EndpointDeleted') return 'endpoint_deleted';
  return event.type === 'EndpointUpdated' && event.changes.status === 'disabled' ? 'endpoint_disabled' : null;
}
