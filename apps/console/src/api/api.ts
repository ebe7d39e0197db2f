import createClient from 'openapi-fetch';
import { sendInSession } from '../state/session.js';
import type { paths } from './admin-api.js';

/** The admin API, typed by its committed document. Every write has an idempotency key, so that its repetition is safe. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: sendInSession });

api.use({
  onRequest({ request }) {
    if (request.method === 'POST' || request.method === 'PATCH') request.headers.set('idempotency-key', newKey());
    return request;
  },
});

/** `randomUUID` is missing where the page came over plain http from another machine. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
