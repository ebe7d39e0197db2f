import type { Attributes } from '@opentelemetry/api';
import type { SpanFields } from '@ports/tracer.port';

const FIELDS: ReadonlySet<string> = new Set<keyof SpanFields>([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'error.type',
  'request_id',
  'project_id',
  'endpoint_id',
  'event_id',
  'delivery_id',
  'stream',
  'events',
  'rows',
  'actions',
  'deliveries',
  'pointers',
  'agent',
  'tool',
  'collection',
  'event_type',
  'attempt',
  'verdict',
]);

/** Ids, names of this program and routes: no sentence, phone number, e-mail address or query is one. */
const PLAIN = /^[A-Za-z/][\w./:*-]{0,127}$/;

/** The fields as attributes of a span, without any that is not on the list, or whose value could be a client's. */
export function toAttributes(fields: SpanFields): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (!FIELDS.has(name)) continue;
    if (typeof value === 'number' || (typeof value === 'string' && PLAIN.test(value))) attributes[name] = value;
  }
  return attributes;
}
