import { idPattern } from '@domain/kernel/ids';
import { MAX_LINE_LENGTH, MAX_LINES } from '../warnings/request-warnings.js';
import { withMeanings } from './with-meanings.js';

/** Length of the header when clients join repeated lines by commas. */
const MAX_TEXT = (MAX_LINES + 1) * (MAX_LINE_LENGTH + ', '.length);

const whole = { type: 'integer', minimum: 0 };

export const ANSWER_HEADERS = {
  'Request-Id': {
    required: true,
    description: 'Names this request: it stands in the log of the service, so quote it when asking for help.',
    schema: { type: 'string', pattern: idPattern('request') },
  },
  'Cache-Control': {
    required: true,
    description: 'Always `no-store`: answers are not to be cached.',
    schema: { type: 'string', enum: ['no-store'] },
  },
  'Service-Should-Retry': {
    required: true,
    description: withMeanings('Whether it is worth sending the same request again.', {
      true: 'it may succeed later; wait as long as `Retry-After` says, if it is there.',
      false:
        'it will fail again until something is changed; or, after a 5xx to a POST without an `Idempotency-Key`, it may have been carried out, and would be a second time.',
    }),
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'WWW-Authenticate': {
    required: true,
    description: 'Always `Bearer`: the API key belongs into `Authorization: Bearer <key>`.',
    schema: { type: 'string', enum: ['Bearer'] },
  },
  'Retry-After': { description: 'Seconds to wait before the request is sent again.', schema: { type: 'integer', minimum: 1 } },
  ETag: {
    required: true,
    description:
      'The appointment\'s version as `"v<version>"`. Sent as `If-Match`, it lets a change happen only while the appointment is still at it.',
    schema: { type: 'string', pattern: '^"v[0-9]+"$' },
  },
  RateLimit: {
    description:
      'The rate limit that counted this request: `"<class>";r=<requests left>;t=<seconds until all are there again>`, the class being `read`, `write`, `messages` or `registration`. Like the others of its name absent while the limit is off.',
    schema: { type: 'string', pattern: '^"[a-z]+";r=[0-9]+;t=[0-9]+$' },
  },
  'RateLimit-Policy': {
    description: 'How the limit is made: `"<class>";q=<requests at once>;w=<seconds in which as many come back>`.',
    schema: { type: 'string', pattern: '^"[a-z]+";q=[0-9]+;w=[0-9]+$' },
  },
  'RateLimit-Limit': { description: 'How many requests may be sent at once.', schema: whole },
  'RateLimit-Remaining': { description: 'How many more requests may be sent now.', schema: whole },
  'RateLimit-Reset': { description: 'Seconds until as many may be sent at once again as `RateLimit-Limit` says.', schema: whole },
  'Service-Warning': {
    description: `Tells of what was taken and will not do what it seems, such as an unknown member or parameter. One line of text for each, of at most ${MAX_LINE_LENGTH} characters; the header may come several times. After ${MAX_LINES} lines the last one is \`and <number> more\`.`,
    schema: { type: 'string', maxLength: MAX_TEXT },
  },
  'Idempotent-Replayed': {
    description: '`true` where this is the stored answer to an earlier request with the same `Idempotency-Key`; else absent.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Original-Request': {
    description: 'The `Request-Id` of the request whose answer is repeated; else absent.',
    schema: { type: 'string', pattern: idPattern('request') },
  },
} as const;

export type HeaderName = keyof typeof ANSWER_HEADERS;
