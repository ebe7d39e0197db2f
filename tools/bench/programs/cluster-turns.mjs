// The least a keyed message can cost on the cluster: the key's record is created, the turn appended, the record replaced by the
// answer. No HTTP, no agent, nothing made of the events.
import { NO_STREAM } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { callersOf } from './callers.mjs';
import { bareAppend, bareDatabase } from './cluster-drivers.mjs';

const KEPT_MS = 86_400_000;
const TURN = 'x'.repeat(600);
const ANSWER = 'x'.repeat(900);

export function measure({ servers, ...load }) {
  const append = bareAppend(servers);
  const records = bareDatabase(servers).collection(`${servers.prefix}bench_records`);
  const written = (value) => ({ value, version: randomUUID(), expiresAt: Date.now() + KEPT_MS });
  return callersOf(load, () => async () => {
    const _id = randomUUID();
    const claim = { _id, ...written('claimed') };
    const isHeld = { $gt: ['$expiresAt', Date.now()] };
    const creation = [{ $replaceWith: { $cond: [isHeld, '$$ROOT', { $literal: claim }] } }];
    const { version } = await records.findOneAndUpdate({ _id }, creation, { upsert: true, returnDocument: 'after' });
    await append(`bench-${_id}`, 'MessagePosted', TURN, NO_STREAM);
    await records.findOneAndUpdate({ _id, version }, { $set: written(ANSWER) }, { returnDocument: 'after' });
  });
}
