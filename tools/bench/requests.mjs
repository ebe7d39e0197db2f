import { randomInt } from 'node:crypto';
import { API_KEY } from './processes.mjs';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST_DAY = Date.parse('2030-01-01');
const DAYS = 1_000;
const THREADS = 2_000;
const metadata = { channel: 'web' };

/** A request in the form in which autocannon takes it. */
const requestOf = (method, path, more) => ({ method, path, headers: { authorization: `Bearer ${API_KEY}` }, ...more });

function withJson(request, value, headers = {}) {
  const json = { ...request.headers, 'content-type': 'application/json', ...headers };
  return { ...request, headers: json, body: JSON.stringify(value) };
}

/** Each run has customers of its own. */
const phone = (run, customer) => `+4915${String(run).padStart(6, '0')}${String(customer).padStart(5, '0')}`;

/** The n-th message of a run, by the kind of talk. */
const bodies = {
  /** Nobody is known; the thread goes on. */
  smallTalk: (run, n) => ({
    external_conversation_id: `${run}-${n % THREADS}`,
    content: `message ${n}: could you tell me about your prices?`,
  }),
  /** A customer in two threads, so that there is an earlier conversation to remember. */
  ordinary: (run, n) => ({ ...bodies.smallTalk(run, n), customer: { phone: phone(run, (n % THREADS) >> 1) }, metadata }),
  /** A customer and a thread of its own: nothing is there already, so that each books. */
  booking: (run, n) => ({
    external_conversation_id: `${run}-${n}`,
    content: `Book me a dental cleaning on ${new Date(FIRST_DAY + (n % DAYS) * DAY).toISOString().slice(0, 10)} at 10:00`,
    customer: { phone: phone(run, n) },
    metadata,
  }),
};

export const reads = (path) => [requestOf('GET', path)];

/** Messages of a run, each under a key of its own, with headers that say how its client waits. */
export function messages(kind, headers = {}) {
  const run = randomInt(1e6);
  let made = 0;
  const setupRequest = (request) => {
    const n = made++;
    return withJson(request, bodies[kind](run, n), { 'idempotency-key': `${run}-${n}`, ...headers });
  };
  return [requestOf('POST', '/v1/messages', { setupRequest })];
}

/** Conversations without messages. */
export const conversations = () => [withJson(requestOf('POST', '/v1/conversations'), { metadata })];

/** Appointments of several projects in turn. */
export function bookings(keys = [API_KEY]) {
  const run = randomInt(1e6);
  const since = Math.ceil(Date.now() / HOUR) * HOUR;
  let made = 0;
  const setupRequest = (request, context) => {
    const n = made++;
    context.startsAt = since + 3 * n * HOUR;
    const booking = {
      customer: { phone: phone(0, n % 1_000) },
      external_id: `${run}-${n}`,
      service: `dental_cleaning_${run}`,
      starts_at: new Date(context.startsAt).toISOString(),
      duration_minutes: 30,
      time_zone: 'Europe/Berlin',
    };
    return withJson(request, booking, { authorization: `Bearer ${keys[n % keys.length]}` });
  };
  return [requestOf('POST', '/v1/appointments', { setupRequest })];
}

/** Appointments that are booked, confirmed, moved and cancelled, one command after the other. */
export function lives() {
  const onResponse = (_status, text, context) => (context.id = /apt_\w{26}/.exec(text)?.[0]);
  const command = (name, bodyOf) => {
    const setupRequest = (request, context) => {
      return withJson({ ...request, path: `/v1/appointments/${context.id}/${name}` }, bodyOf(context));
    };
    return requestOf('POST', '', { setupRequest });
  };
  const [book] = bookings();
  return [
    { ...book, onResponse },
    command('confirm', () => ({})),
    command('reschedule', ({ startsAt }) => ({ starts_at: new Date(startsAt + HOUR).toISOString() })),
    command('cancel', () => ({ reason: 'Ill.', cancelled_by: 'customer' })),
  ];
}
