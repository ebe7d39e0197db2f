import { previousSecretUntil, type Endpoint } from '@domain/endpoint/endpoint';
import type { EndpointView } from './endpoint.commands.js';

/** An endpoint without its secrets. */
export function toEndpointView(endpoint: Endpoint, now: number): EndpointView {
  const { id, url, filters, status, description, headers, metadata } = endpoint;
  const { secretHint, secretRotatedAt, createdAt, updatedAt } = endpoint;
  return {
    ...{ id, url, filters, status, description, headers, metadata },
    ...{ secretHint, secretRotatedAt, createdAt, updatedAt },
    previousSecretExpiresAt: previousSecretUntil(endpoint, now),
  };
}
