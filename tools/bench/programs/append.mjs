// Appends of 500 bytes from so many callers, each to a stream of its own, through the port of a build or straight to a raw log.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openEngine } from '../places.mjs';
import { RawLog } from '../limits/raw-log.mjs';

const { build, directory, callers, seconds } = JSON.parse(process.argv[2]);
const WARM_UP_MS = 500;
const TEXT = 'a'.repeat(430);
const noted = () => ({ type: 'Noted', at: Date.now(), text: TEXT });

async function rawLog() {
  const log = await RawLog.open(join(directory, 'raw.log'));
  return { caller: () => () => log.append(JSON.stringify({ id: randomUUID(), event: noted() })), close: () => log.close() };
}

async function eventStore() {
  const { events, engine } = await openEngine(build, directory);
  const caller = () => {
    const stream = `note-${randomUUID()}`;
    let revision = 'none';
    return async () => ({ revision } = await events.append(stream, [{ id: randomUUID(), event: noted() }], revision));
  };
  return { caller, close: () => engine.close() };
}

const { caller, close } = await (build ? eventStore() : rawLog());
const latencies = [];
const from = performance.now() + WARM_UP_MS;
const until = from + seconds * 1_000;

async function appendUntilTheEnd() {
  const append = caller();
  for (let before = performance.now(); before < until;) {
    await append();
    const after = performance.now();
    if (before >= from) latencies.push(after - before);
    before = after;
  }
}

await Promise.all(Array.from({ length: callers }, appendUntilTheEnd));
const elapsed = (performance.now() - from) / 1_000;
await close();
latencies.sort((a, b) => a - b);
const at = (share) => latencies[Math.floor(latencies.length * share)];
process.stdout.write(JSON.stringify({ perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99) }));
