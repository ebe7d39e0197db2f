// The least a delivery can cost: a signed POST, so many in flight, nothing recorded; or a claim before and an outcome behind
// it, each as long as ours and stored by the embedded engine before the next step, without anything that is made of them.
import { randomUUID } from 'node:crypto';
import { openEngine } from '../places.mjs';
import { signedPosts } from './signed-posts.mjs';

const { url, inFlight, seconds, build, directory } = JSON.parse(process.argv[2]);
const WARM_UP_MS = 1_000;
const dispatch = signedPosts(url, inFlight);

async function recorded() {
  const stream = `deliveries-${randomUUID()}`;
  await append(stream, 'DeliveryClaimed', CLAIM, 'none');
  await dispatch();
  await append(stream, 'DeliverySucceeded', OUTCOME, 0);
}

const CLAIM = 'x'.repeat(150);
const OUTCOME = 'x'.repeat(260);
const store = build ? await openEngine(build, directory) : null;
const deliver = store ? recorded : dispatch;

function append(stream, type, text, revision) {
  return store.events.append(stream, [{ id: randomUUID(), event: { type, at: Date.now(), text } }], revision);
}

let done = 0;
const from = performance.now() + WARM_UP_MS;
const until = from + seconds * 1_000;

async function postUntilTheEnd() {
  while (performance.now() < until) {
    await deliver();
    if (performance.now() >= from) done += 1;
  }
}

let before;
setTimeout(() => (before = process.cpuUsage()), WARM_UP_MS);
await Promise.all(Array.from({ length: inFlight }, postUntilTheEnd));
const { user, system } = process.cpuUsage(before);
const perSecond = (done * 1_000) / (performance.now() - from);
await store?.engine.close();
process.stdout.write(JSON.stringify({ perSecond, cpuMicros: (user + system) / done }), () => process.exit(0));
