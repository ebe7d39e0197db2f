import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { idPattern } from '@domain/kernel/ids';
import { WebhookEventResource } from '../v1/event.resource.js';

const descriptionOf = (
  timeoutMs: number,
) => `Posted to every enabled endpoint with a matching filter, at least once and in no certain order.

Verify it on the raw body, before parsing: \`Service-Signature\` with Stripe's libraries, or the \`webhook-\` headers with
those of Standard Webhooks, and the endpoint's whole secret. Then one rule is enough: if \`data.object.version\` is not above
the stored version, acknowledge and drop; else store \`data.object\`. A body with
\`thin: true\` was too large: get the appointment instead. The request's
\`Accept\` is \`*/*\`, unless the endpoint's \`headers\` set another. Answer 2xx within ${timeoutMs / 1_000} s.`;

const HEADERS: Readonly<Record<string, readonly [description: string, schema: object]>> = {
  'Service-Signature': [
    '`t=<seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>`, the key is the whole secret as text. One `v1` for each valid secret.',
    { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
  ],
  'webhook-id': ["The event's id: the same in every attempt and replay.", { type: 'string', pattern: idPattern('event') }],
  'webhook-timestamp': ['Seconds since 1970; new in every attempt.', { type: 'string', pattern: '^[0-9]+$' }],
  'webhook-signature': [
    '`v1,<base64>`: HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, the key is what follows `whsec_`, decoded from base64. One for each valid secret, with blanks between.',
    { type: 'string', pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$' },
  ],
  'Service-Event-Type': [
    'The `type` of the event, to sort it before its body is read.',
    { type: 'string', example: 'appointment.confirmed' },
  ],
  'Service-Delivery-Id': ['Names the delivery; a replay is another one.', { type: 'string', pattern: idPattern('delivery') }],
  'Service-Attempt': ['Which attempt of the delivery this is: 1 for the first.', { type: 'string', pattern: '^[1-9][0-9]*$' }],
  'User-Agent': ['Names this service and its version.', { type: 'string' }],
};

/** Client generators would make a client call of a webhook, and the Python generator then writes invalid code. */
const NO_CALL = { 'x-internal': true };

const RETRIED = { description: 'Tried again later, as is a redirect or no answer in time.' };

export const webhooks = (timeoutMs: number): NonNullable<OpenAPIObject['webhooks']> => ({
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Webhooks'],
      ...NO_CALL,
      summary: 'An event, as endpoints receive it',
      description: descriptionOf(timeoutMs),
      security: [],
      parameters: Object.entries(HEADERS).map(([name, [description, schema]]) => ({
        name,
        in: 'header' as const,
        required: true,
        description,
        schema,
      })),
      requestBody: {
        required: true,
        description: 'The event as JSON in UTF-8. Verify the bytes as they came, before they are parsed.',
        content: { 'application/json': { schema: { $ref: getSchemaPath(WebhookEventResource) } } },
      },
      responses: {
        '2XX': { description: 'Delivered: the event is not sent again.' },
        '408': RETRIED,
        '429': RETRIED,
        '4XX': { description: 'Refused for good: the delivery has failed.' },
        '5XX': RETRIED,
      },
    },
  },
});
