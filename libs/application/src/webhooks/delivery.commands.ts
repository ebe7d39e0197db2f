import { Command, Query } from '@nestjs/cqrs';
import type { EmittedType } from '@domain/appointment/emission';
import type { Page, PageRequest } from '../paging/page.js';
import type { RequestContext } from '../runtime/request-context.js';
import type { DeliveryView } from './delivery-view.js';

/**
 * Delivers an event anew: a fresh delivery with the same bytes. One that still waits is cancelled. Refuses with
 * `webhook_endpoint_disabled`, `event_expired`, and `resource_missing` for a deleted endpoint too.
 */
export class ReplayDelivery extends Command<DeliveryView> {
  constructor(
    readonly context: RequestContext,
    readonly eventId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}

/** A page of the deliveries of one event; empty for an event that no endpoint wanted. */
export class ListEventDeliveries extends Query<Page<DeliveryView>> {
  constructor(
    readonly projectId: string,
    readonly eventId: string,
    readonly endpointId: string | null,
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** Sends a made-up event to one endpoint, whatever its filters. Refuses with `webhook_endpoint_disabled`. */
export class TestEndpoint extends Command<DeliveryView> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
    readonly type: EmittedType,
    /** Members that replace those of the made-up appointment, under their wire names. */
    readonly overrides: Readonly<Record<string, unknown>>,
  ) {
    super();
  }
}
