// The least a keyed message can cost on the cluster: the key's record is created, the turn appended, the record replaced by the
// answer. No HTTP, no agent, nothing made of the events.
import { NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { bareDatabase, BareLog, tell } from './cluster-drivers.mjs';

const { servers, inFlight, seconds } = JSON.parse(process.argv[2]);
const WARM_UP_MS = 1_500;
const KEPT_MS = 86_400_000;
const TURN = 'x'.repeat(600);
const ANSWER = 'x'.repeat(900);
const log = new BareLog(servers);
const records = bareDatabase(servers).collection(`${servers.prefix}bench_records`);
const latencies = [];

const written = (value) => ({ value, version: randomUUID(), expiresAt: Date.now() + KEPT_MS });

async function turn() {
  const _id = randomUUID();
  const claim = { _id, ...written('claimed') };
  const isHeld = { $gt: ['$expiresAt', Date.now()] };
  const creation = [{ $replaceWith: { $cond: [isHeld, '$$ROOT', { $literal: claim }] } }];
  const { version } = await records.findOneAndUpdate({ _id }, creation, { upsert: true, returnDocument: 'after' });
  await log.append(`${servers.prefix}bench-${_id}`, 'MessagePosted', TURN, NO_STREAM);
  await records.findOneAndUpdate({ _id, version }, { $set: written(ANSWER) }, { returnDocument: 'after' });
}

const from = performance.now() + WARM_UP_MS;
const until = from + seconds * 1_000;

async function turnsUntilTheEnd() {
  while (performance.now() < until) {
    const begun = performance.now();
    await turn();
    if (begun >= from) latencies.push(performance.now() - begun);
  }
}

await Promise.all(Array.from({ length: inFlight }, turnsUntilTheEnd));
const perSecond = (latencies.length * 1_000) / (performance.now() - from);
latencies.sort((a, b) => a - b);
tell({ perSecond, p99: latencies[Math.floor(latencies.length * 0.99)] });
