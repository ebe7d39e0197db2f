import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';

const READ = '"read";q=200;w=2';
const WRITE = '"write";q=200;w=2';
const MESSAGES = '"messages";q=50;w=2';
const REGISTRATION = '"registration";q=20;w=2';

/** Method, path, required scope and rate limit of each route. */
const ROUTES = [
  ['POST', '/v1/conversations', 'conversations:write', WRITE],
  ['GET', '/v1/conversations', 'conversations:read', READ],
  ['GET', '/v1/conversations/{id}', 'conversations:read', READ],
  ['PATCH', '/v1/conversations/{id}', 'conversations:write', WRITE],
  ['POST', '/v1/conversations/{id}/messages', 'conversations:write', MESSAGES],
  ['GET', '/v1/conversations/{id}/messages', 'conversations:read', READ],
  ['GET', '/v1/conversations/{id}/messages/{message_id}', 'conversations:read', READ],
  ['GET', '/v1/conversations/{id}/messages/{message_id}/stream', 'conversations:read', READ],
  ['POST', '/v1/conversations/{id}/handoff', 'conversations:write', WRITE],
  ['POST', '/v1/conversations/{id}/resume', 'conversations:write', WRITE],
  ['POST', '/v1/conversations/{id}/end', 'conversations:write', WRITE],
  ['POST', '/v1/messages', 'conversations:write', MESSAGES],
  ['POST', '/v1/customers', 'customers:write', WRITE],
  ['GET', '/v1/customers', 'customers:read', READ],
  ['GET', '/v1/customers/{id}', 'customers:read', READ],
  ['GET', '/v1/customers/{id}/export', 'customers:read', READ],
  ['PATCH', '/v1/customers/{id}', 'customers:write', WRITE],
  ['DELETE', '/v1/customers/{id}', 'customers:write', WRITE],
  ['POST', '/v1/sessions', 'agent', WRITE],
  ['GET', '/v1/sessions', 'sessions:read', READ],
  ['GET', '/v1/sessions/{id}', 'sessions:read', READ],
  ['POST', '/v1/sessions/{id}/close', 'agent', WRITE],
  ['POST', '/v1/sessions/{id}/turns', 'agent', WRITE],
  ['GET', '/v1/sessions/{id}/turns', 'sessions:read', READ],
  ['POST', '/v1/appointments', 'agent', WRITE],
  ['GET', '/v1/appointments', 'appointments:read', READ],
  ['GET', '/v1/appointments/{id}', 'appointments:read', READ],
  ['GET', '/v1/appointments/{id}/history', 'appointments:read', READ],
  ['PATCH', '/v1/appointments/{id}', 'agent', WRITE],
  ['POST', '/v1/appointments/{id}/confirm', 'agent', WRITE],
  ['POST', '/v1/appointments/{id}/reschedule', 'agent', WRITE],
  ['POST', '/v1/appointments/{id}/cancel', 'agent', WRITE],
  ['POST', '/v1/appointments/{id}/fail', 'agent', WRITE],
  ['POST', '/v1/appointments/{id}/rebook', 'agent', WRITE],
  ['POST', '/v1/deliveries/retry', 'webhooks:write', WRITE],
  ['GET', '/v1/tasks', 'webhooks:read', READ],
  ['GET', '/v1/tasks/{id}', 'webhooks:read', READ],
  ['POST', '/v1/tasks/{id}/cancel', 'webhooks:write', WRITE],
  ['GET', '/v1/events', 'events:read', READ],
  ['GET', '/v1/events/{id}', 'events:read', READ],
  ['GET', '/v1/events/{id}/deliveries', 'events:read', READ],
  ['POST', '/v1/events/{id}/deliveries/{delivery_id}/retry', 'webhooks:write', WRITE],
  ['GET', '/v1/deliveries', 'events:read', READ],
  ['GET', '/v1/deliveries/{id}', 'events:read', READ],
  ['POST', '/v1/deliveries/{id}/retry', 'webhooks:write', WRITE],
  ['POST', '/v1/deliveries/{id}/cancel', 'webhooks:write', WRITE],
  ['POST', '/v1/events/{id}/replay', 'webhooks:write', WRITE],
  ['GET', '/v1/events/{id}/explain', 'events:read', READ],
  ['POST', '/v1/webhook_endpoints', 'webhooks:write', REGISTRATION],
  ['GET', '/v1/webhook_endpoints', 'webhooks:read', READ],
  ['GET', '/v1/webhook_endpoints/{id}', 'webhooks:read', READ],
  ['PATCH', '/v1/webhook_endpoints/{id}', 'webhooks:write', WRITE],
  ['DELETE', '/v1/webhook_endpoints/{id}', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/pause', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/resume', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/recover', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/replay_missing', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/reconcile', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/rotate_secret', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/test', 'webhooks:write', WRITE],
  ['POST', '/v1/webhook_endpoints/{id}/test_filters', 'webhooks:write', WRITE],
  ['GET', '/v1/webhook_endpoints/{id}/stats', 'webhooks:read', READ],
  ['GET', '/v1/webhook_stats', 'webhooks:read', READ],
  ['GET', '/v1/issues', 'webhooks:read', READ],
  ['GET', '/v1/issues/{id}', 'webhooks:read', READ],
  ['POST', '/v1/issues/{id}/dismiss', 'webhooks:write', WRITE],
] as const;

const SCOPES = [...new Set(ROUTES.map(([, , scope]) => scope))];

let app: App;
let full: Client;
/** Clients by the one scope that their key lacks. */
const lacking = new Map<string, Client>();

beforeAll(async () => {
  app = await App.start({ RATE_LIMIT_READ: '', RATE_LIMIT_WRITE: '', RATE_LIMIT_MESSAGES: '' });
  full = await app.otherProject('full');
  for (const scope of SCOPES)
    lacking.set(
      scope,
      await app.otherProject(
        scope,
        SCOPES.filter((one) => one !== scope),
      ),
    );
});
afterAll(() => app.dispose());

const asked = (client: Client | undefined, method: string, path: string) =>
  client?.send(method, path.replace(/\{\w+\}/g, 'nobody'), method === 'GET' || method === 'DELETE' ? undefined : {});

it('every route there is, is here', async () => {
  const { paths } = (await app.as(null).get('/openapi.json')).body as { paths: Record<string, object> };
  const known = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  expect(known.toSorted()).toEqual(ROUTES.map(([method, path]) => `${method.toLowerCase()} ${path}`).toSorted());
});

describe.each(ROUTES)('%s %s', (method, path, scope, policy) => {
  it(`wants the scope ${scope}, whatever other scopes a key has`, async () => {
    const refused = await asked(lacking.get(scope), method, path);
    expect(refused && errorOf(refused)).toEqual([403, 'permission_error', 'insufficient_scope']);
    expect(refused?.body.error.required_scope).toBe(scope);
  });

  it(`counts against ${policy}`, async () => {
    expect((await asked(full, method, path))?.headers.get('ratelimit-policy')).toBe(policy);
  });
});
