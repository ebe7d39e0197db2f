// Receivers of webhooks in a process of their own. What each got, and what it said to it, is in their log.
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Journal } from './journal.mjs';

const SLOWNESS_MS = 40;
const FLAP_MS = 600;
const CLOCK_TOLERANCE_S = 300;

const answers = {
  steady: () => 200,
  flapping: () => (Math.floor(Date.now() / FLAP_MS) % 2 === 0 ? 200 : 503),
  slow: () => pause(SLOWNESS_MS, 204),
  rejecting: () => 410,
};

const journal = new Journal(process.argv[2]);
let secrets = {};

function isSigned({ headers }, body, secret) {
  const { t, v1 } = Object.fromEntries(headers['service-signature'].split(',').map((part) => part.split('=')));
  const hex = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const base64 = createHmac('sha256', bytes).update(`${headers['webhook-id']}.${t}.${body}`).digest('base64');
  const isFresh = Math.abs(Date.now() / 1_000 - Number(t)) < CLOCK_TOLERANCE_S && headers['webhook-timestamp'] === t;
  return isFresh && v1 === hex && headers['webhook-signature'] === `v1,${base64}`;
}

async function receive(request, response) {
  const at = Date.now();
  const receiver = request.url.slice(1);
  const { headers } = request;
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const entry = {
    receiver,
    receivedAt: at,
    event: headers['webhook-id'],
    delivery: headers['service-delivery-id'],
    attempt: Number(headers['service-attempt']),
    type: headers['service-event-type'],
    signed: isSigned(request, body, secrets[receiver]),
    sha: createHash('sha256').update(body).digest('hex'),
    body,
  };
  const status = await answers[receiver]();
  if (response.destroyed) return journal.write({ ...entry, answer: 'cut' });
  let isOver = false;
  const over = (answer) => () => {
    if (!isOver) journal.write({ ...entry, answer });
    isOver = true;
  };
  response.once('finish', over(status)).once('close', over('cut'));
  response.writeHead(status).end();
}

const server = createServer((request, response) => {
  receive(request, response).catch((error) => journal.write({ receiver: request.url.slice(1), broken: String(error) }));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', (given) => {
  secrets = given;
  process.send({ ready: true });
});
process.once('disconnect', () => process.exit(0));
