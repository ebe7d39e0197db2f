// Receives webhooks, verifies them, and keeps the newest state of each appointment. Node alone, no packages:
//
//   WEBHOOK_SECRET='whsec_…' PORT=4000 node docs/examples/receive-webhooks.mjs
//
// With RECEIVED=<file> it also keeps the id and time of each event, with which reconcile-webhooks.mjs finds out what it lacks.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret, PORT: port = '4000', RECEIVED: file } = process.env;
if (!secret) throw new Error('WEBHOOK_SECRET must be the secret that the registration of the endpoint answered.');

const TOLERANCE_SECONDS = 300;

/**
 * Whether the body was signed with the secret within the last five minutes. `Service-Signature` is `t=<seconds>,v1=<hex>`, with
 * a second `v1` while the secret is being rotated, so that the old and the new one are both accepted.
 */
function isSigned(header, body) {
  const parts = String(header).split(',');
  const time = parts.find((part) => part.startsWith('t='))?.slice(2);
  const isRecent = Math.abs(Date.now() / 1_000 - Number(time)) <= TOLERANCE_SECONDS;
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex')}`);
  const isExpected = (part) => part.length === expected.length && timingSafeEqual(Buffer.from(part), expected);
  return isRecent && parts.map((part) => Buffer.from(part)).some(isExpected);
}

/** The newest state of each appointment. In a database this is one write: `… where id = ? and version < ?`. */
const appointments = new Map();

/** Keeps the appointment unless it is known in this version or a newer one: deliveries repeat, and come in any order. */
function keep(appointment) {
  const known = appointments.get(appointment.id);
  if (known && known.version >= appointment.version) return false;
  appointments.set(appointment.id, appointment);
  return true;
}

async function receive(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  // The bytes as they came: a body that was parsed and written again has another signature.
  if (!isSigned(request.headers['service-signature'], body)) {
    console.log('refused');
    return response.writeHead(400).end();
  }
  const { id, type, created_at: at, data } = JSON.parse(body);
  const { id: appointment, version, status } = data.object;
  console.log(keep(data.object) ? 'kept' : 'known', type, id, appointment, `version ${version}`, status);
  // Store the id before answering 2xx: after that the service does not send the event again. With a database, store it in the
  // transaction that stores the effect of the event.
  if (file) await appendFile(file, `${at} ${id}\n`);
  response.writeHead(204).end();
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => {
    // 5xx: the delivery is tried again later.
    console.error(error);
    response.writeHead(500).end();
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
