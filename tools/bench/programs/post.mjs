// The least a delivery can cost: a signed POST, nothing recorded, so many in flight.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Pool } from 'undici';

const { url, client, inFlight, seconds } = JSON.parse(process.argv[2]);
const WARM_UP_MS = 1_000;
const key = createSecretKey(randomBytes(36));
const { origin, pathname } = new URL(url);
const body = JSON.stringify({ type: 'appointment.created', data: { object: { padding: 'x'.repeat(950) } } });
const pool = new Pool(origin, { connections: inFlight });

function headers() {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
  return { 'content-type': 'application/json', 'service-signature': `t=${timestamp},v1=${signature}` };
}

const clients = {
  dispatch: () =>
    new Promise((resolve, reject) => {
      pool.dispatch(
        { origin, path: pathname, method: 'POST', headers: headers(), body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd: resolve,
          onResponseError: (_, e) => reject(e),
        },
      );
    }),
  fetch: async () => (await fetch(url, { method: 'POST', headers: headers(), body })).text(),
};

let done = 0;
const from = performance.now() + WARM_UP_MS;
const until = from + seconds * 1_000;

async function postUntilTheEnd() {
  while (performance.now() < until) {
    await clients[client]();
    if (performance.now() >= from) done += 1;
  }
}

let before;
setTimeout(() => (before = process.cpuUsage()), WARM_UP_MS);
await Promise.all(Array.from({ length: inFlight }, postUntilTheEnd));
const { user, system } = process.cpuUsage(before);
const perSecond = (done * 1_000) / (performance.now() - from);
process.stdout.write(JSON.stringify({ perSecond, cpuMicros: (user + system) / done }), () => process.exit(0));
