// Webhook receivers in a separate process, which log every POST with its answer.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Journal } from './journal.mjs';

const SLOWNESS_MS = 40;
const FLAP_MS = 600;
const TELLING_EVERY_MS = 10;

const answers = {
  steady: () => 200,
  flapping: () => (Math.floor(Date.now() / FLAP_MS) % 2 === 0 ? 200 : 503),
  slow: () => pause(SLOWNESS_MS, 204),
  rejecting: () => 410,
  hesitant: ({ attempt }) => (attempt === 1 ? 503 : 200),
  refusing: (entry) => (isFirst(entry) ? 404 : 200),
};

const journal = new Journal(process.argv[2]);
let received = 0;
const firsts = new Map();

/** Whether the delivery is the first one of its event here, however often it is attempted. */
function isFirst({ url, event, delivery }) {
  const here = `${url} ${event}`;
  if (!firsts.has(here)) firsts.set(here, delivery);
  return firsts.get(here) === delivery;
}

function entryOf({ url, headers }, body, receivedAt) {
  return {
    receiver: url.split('/')[1],
    url: `http://${headers.host}${url}`,
    receivedAt,
    event: headers['webhook-id'],
    delivery: headers['service-delivery-id'],
    attempt: Number(headers['service-attempt']),
    type: headers['service-event-type'],
    signature: headers['service-signature'],
    timestamp: headers['webhook-timestamp'],
    standard: headers['webhook-signature'],
    sha: createHash('sha256').update(body).digest('hex'),
    body,
  };
}

async function receive(request, response) {
  const at = Date.now();
  received += 1;
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const entry = entryOf(request, Buffer.concat(chunks).toString('utf8'), at);
  const status = await answers[entry.receiver](entry);
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
  receive(request, response).catch((error) => journal.write({ receiver: request.url, broken: String(error) }));
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  process.send({ port: server.address().port });
  // The run may have closed the channel already.
  setInterval(() => process.send({ received }, () => undefined), TELLING_EVERY_MS);
});
process.once('disconnect', () => process.exit(0));
