import { jsonOf } from '../../api/json-of.js';
import { headersOf, type HeaderRow } from './header-fields.js';
import type { Endpoint } from './use-endpoint.js';

/** What is sent: headers and metadata only where they were touched. */
export interface EndpointValues {
  readonly url: string;
  readonly description: string | null;
  readonly event_filters: string[];
  readonly rate_limit_per_second: number | null;
  readonly disable_on_gone: boolean;
  readonly headers?: Record<string, string>;
  readonly metadata?: Record<string, unknown>;
}

export interface EndpointInput {
  /** Of the form's own fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly filters: readonly string[];
  /** Null while they are untouched. */
  readonly headers: readonly HeaderRow[] | null;
}

export function fieldsOf(endpoint: Endpoint | undefined): Readonly<Record<string, string>> {
  if (!endpoint) return {};
  const { url, description, rate_limit_per_second: rate, disable_on_gone: isGone, metadata } = endpoint;
  return {
    url,
    description: description ?? '',
    rate: rate?.toString() ?? '',
    ...(isGone && { gone: 'on' }),
    metadata: JSON.stringify(metadata, null, 2),
  };
}

export function endpointValues(input: EndpointInput, endpoint: Endpoint | undefined): EndpointValues {
  const { url = '', description = '', rate, gone, metadata = '' } = input.fields;
  const isSame = metadata === (fieldsOf(endpoint)['metadata'] ?? '');
  return {
    url,
    description: description === '' ? null : description,
    event_filters: [...input.filters],
    rate_limit_per_second: rate ? Number(rate) : null,
    disable_on_gone: gone !== undefined,
    ...(input.headers && { headers: headersOf(input.headers) }),
    ...(!isSame && { metadata: metadata === '' ? {} : jsonOf(metadata) }),
  };
}
