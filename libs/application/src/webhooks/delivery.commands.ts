import { Command, Query } from '@nestjs/cqrs';
import type { EmittedType } from '@domain/appointment/emission';
import type { Condition } from '@ports/read-models.port';
import type { Page, PageRequest } from '../paging/page.js';
import type { RequestContext } from '../runtime/request-context.js';
import type { DeliveryOfEvent, DeliveryOutline, DeliveryView } from './delivery-view.js';

/**
 * A new delivery of the same bytes; cancels a waiting one. Refuses with `webhook_endpoint_disabled`, `event_expired`,
 * `resource_missing`.
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

/** Lets no further attempt follow. Refuses with `delivery_not_cancellable`, `event_expired`, `resource_missing`. */
export class CancelDelivery extends Command<DeliveryOfEvent> {
  constructor(
    readonly context: RequestContext,
    readonly eventId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}

/** The event of a delivery. Refuses with `resource_missing`, and with `event_expired` once its deliveries were dropped. */
export class FindEventOfDelivery extends Query<string> {
  constructor(
    readonly projectId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}

/** Refuses with `event_expired` and `resource_missing`. */
export class GetDelivery extends Query<DeliveryOfEvent> {
  constructor(
    readonly projectId: string,
    readonly eventId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}

/** A page may be short or empty where several members are asked for: see `ListDeliveriesHandler`. */
export class ListDeliveries extends Query<Page<DeliveryOutline>> {
  constructor(
    readonly projectId: string,
    /** Of `LISTED_BY`, by equality or among several values, and `createdAt`. */
    readonly conditions: readonly Condition[],
    readonly page: PageRequest,
  ) {
    super();
  }
}

/**
 * New deliveries of the same bytes, to these endpoints whatever their filters, or to all that want the event; cancels waiting ones
 * there. Refuses with `webhook_endpoint_disabled`, `event_expired`, `resource_missing`, `limit_exceeded`.
 */
export class ReplayEvent extends Command<readonly DeliveryView[]> {
  constructor(
    readonly context: RequestContext,
    readonly eventId: string,
    readonly endpointIds: readonly string[] | null,
  ) {
    super();
  }
}

/** Empty for an event that matched no endpoint. */
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

/** Sends a sample event to one endpoint, whatever its filters. Refuses with `webhook_endpoint_disabled`. */
export class TestEndpoint extends Command<DeliveryView> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
    readonly type: EmittedType,
    /** Replace members of the sample appointment, under their wire names. */
    readonly overrides: Readonly<Record<string, unknown>>,
  ) {
    super();
  }
}
