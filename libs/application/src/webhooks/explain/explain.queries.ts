import { Query } from '@nestjs/cqrs';
import type { EmittedType } from '@domain/appointment/emission';
import type { Explanation } from './explanation.js';

export interface ExplainedEndpoint extends Explanation {
  readonly endpointId: string;
  /** As of the event; of an endpoint that came later the present ones. */
  readonly filters: readonly string[];
  /** Oldest first. */
  readonly deliveryIds: readonly string[];
}

/**
 * Why each endpoint got an event or did not: those of the event's moment, and those alive now, in the order of their registration.
 * Refuses with `resource_missing`, `event_expired`.
 */
export class ExplainEvent extends Query<readonly ExplainedEndpoint[]> {
  constructor(
    readonly projectId: string,
    readonly eventId: string,
  ) {
    super();
  }
}

export interface TriedEvent {
  readonly id: string;
  readonly type: EmittedType;
  readonly matches: boolean;
  /** By the filters that the endpoint has. */
  readonly matchesNow: boolean;
}

/** Which of the project's last 100 events pass these filters, newest first. Refuses with `resource_missing`. */
export class TryFilters extends Query<readonly TriedEvent[]> {
  constructor(
    readonly projectId: string,
    readonly endpointId: string,
    readonly filters: readonly string[],
  ) {
    super();
  }
}
