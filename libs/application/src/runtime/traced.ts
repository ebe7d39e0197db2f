import type { Envelope } from '@domain/kernel/envelope';
import { sampledTraceparent } from '@ports/traceparent';
import type { SpanOrigin } from '@ports/tracer.port';

const MAX_LINKS = 32;

/** The envelope with the span that its events are caused in; unchanged where it names one, or nothing is traced. */
export function tracedBy(traceparent: string | undefined, envelope: Envelope): Envelope {
  return traceparent === undefined || envelope.traceparent !== undefined ? envelope : { ...envelope, traceparent };
}

/** The origin of work that several spans led to: it belongs to the first of those that are kept, and has links to the others. */
export function sharedOrigin(traceparents: readonly (string | undefined)[]): SpanOrigin {
  const kept = new Set<string>();
  for (const traceparent of traceparents) {
    const sampled = sampledTraceparent(traceparent);
    if (sampled !== undefined) kept.add(sampled);
    if (kept.size > MAX_LINKS) break;
  }
  const [parent = traceparents.find((each) => each !== undefined), ...links] = kept;
  return { parent, links };
}
