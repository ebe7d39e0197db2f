import type { Endpoint } from '@domain/endpoint/endpoint';
import type { ExplainedEvent } from './facts.js';

/** What to do to send the event to an endpoint that is alive. */
export function toReplay({ id }: ExplainedEvent, now: Endpoint): string {
  const replay = `eplay the event to it with POST /v1/events/${id}/replay and the body {"endpoint_ids":["${now.id}"]}.`;
  return now.status === 'disabled' ? `Enable the endpoint, then r${replay}` : `R${replay}`;
}
