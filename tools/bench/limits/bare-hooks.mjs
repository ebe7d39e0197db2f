// The least the whole way can cost: node:http, the body parsed, one durable line, an answer, one signed POST to the receiver.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Pool } from 'undici';
import { RawLog } from './raw-log.mjs';

const [logFile, receiver] = process.argv.slice(2);
const CONNECTIONS = 64;
const log = await RawLog.open(logFile);
const { origin, pathname } = new URL(receiver);
const pool = new Pool(origin, { connections: CONNECTIONS });
const key = createSecretKey(randomBytes(36));
const padding = 'x'.repeat(850);
const KINDS = { confirm: 'confirmed', reschedule: 'rescheduled', cancel: 'cancelled' };
let made = 0;
let delivered = 0;

const handler = {
  onRequestStart() {},
  onResponseStart() {},
  onResponseData() {},
  onResponseEnd: () => (delivered += 1),
  onResponseError(_controller, error) {
    throw error;
  },
};

function post(body) {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'service-signature': `t=${timestamp},v1=${signature}` };
  pool.dispatch({ origin, path: pathname, method: 'POST', headers, body }, handler);
}

async function answer(request, response, text) {
  const command = JSON.parse(text);
  const [, , , known, change] = request.url.split('/');
  const id = known ?? `apt_${String((made += 1)).padStart(26, '0')}`;
  const event = JSON.stringify({ type: `appointment.${KINDS[change] ?? 'created'}`, object: { id, ...command }, padding });
  await log.append(event);
  const body = JSON.stringify({ id, padding });
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
  post(event);
}

const server = createServer((request, response) => {
  if (request.url === '/metrics') return void response.end(String(delivered));
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => void answer(request, response, Buffer.concat(chunks).toString()));
});
server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
