import type { Endpoint } from '@domain/endpoint/endpoint';
import type { DeliveryView } from '../delivery-view.js';

export const MISSING_REASONS = [
  'filter_mismatch',
  'endpoint_disabled',
  'created_after_event',
  'deleted',
  'not_fanned_out_yet',
] as const;
export type MissingReason = (typeof MISSING_REASONS)[number];

export interface ExplainedEvent {
  readonly id: string;
  readonly type: string;
  readonly at: number;
}

/** What is known of an event and an endpoint. */
export interface Facts {
  readonly event: ExplainedEvent;
  /** The endpoint as of the event; null if it was registered later. */
  readonly then: Endpoint | null;
  /** Null if it was deleted. */
  readonly now: Endpoint | null;
  readonly deletedAt: number | null;
  /** The last delivery of the event to it. */
  readonly last: DeliveryView | null;
}

export interface Told {
  /** Null where nothing keeps the event from the endpoint. */
  readonly reason: MissingReason | null;
  /** One sentence. */
  readonly explanation: string;
  /** One sentence; null where there is nothing to do. */
  readonly whatToDo: string | null;
}
