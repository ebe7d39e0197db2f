import { MASKED_VALUE } from '@domain/endpoint/custom-headers';
import { previousSecretUntil, type Endpoint } from '@domain/endpoint/endpoint';
import type { EndpointView } from './endpoint.commands.js';

/** An endpoint without its secrets. */
export function toEndpointView(endpoint: Endpoint, now: number): EndpointView {
  const { id, url, filters, status, description, sealedHeaders, plainHeaders, metadata } = endpoint;
  const { secretHint, secretRotatedAt, createdAt, updatedAt } = endpoint;
  const names = Object.keys({ ...plainHeaders, ...sealedHeaders });
  const headers = Object.fromEntries(names.map((name) => [name, MASKED_VALUE]));
  return {
    ...{ id, url, filters, status, description, headers, metadata },
    ...{ secretHint, secretRotatedAt, createdAt, updatedAt },
    previousSecretExpiresAt: previousSecretUntil(endpoint, now),
  };
}
