import { join } from 'node:path';
import { freshFolder, limits } from '../places.mjs';
import { loadOn, Server, startService } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, typical } from '../rounds.mjs';

const TASK = { kind: 'message', connections: 64, threads: 2_000 };
/** A compiler that is still at work is no steady state. */
const WARM_UP_SECONDS = { ours: 6, others: 2 };

const post = (server, seconds) => loadOn(server, '/v1/messages', { ...TASK, seconds, warmup: 0.3 });

/** Rows 3 and 4: POST /v1/messages whole, beside a bare server with one durable line and beside a usual Nest application. */
export const messages = {
  rows: [3, 4],
  async measure({ rounds, seconds, wants }) {
    const servers = {
      limit: await Server.start([join(limits, 'bare-server.mjs'), join(freshFolder('bare'), 'raw.log')]),
      ...(wants(4) && { peer: await Server.start([join(limits, 'express-peer.mjs'), freshFolder('express-peer')]) }),
      ours: await startService(freshFolder('messages')),
    };
    try {
      for (const [name, server] of Object.entries(servers)) {
        await post(server, name === 'ours' ? WARM_UP_SECONDS.ours : WARM_UP_SECONDS.others);
      }
      const contestants = Object.entries(servers).map(([name, server]) => [name, () => post(server, seconds)]);
      return rowsOf(await interleave(rounds, Object.fromEntries(contestants)));
    } finally {
      for (const server of Object.values(servers)) await server.stop();
    }
  },
};

function rowsOf({ ours, limit, peer }) {
  const perSecond = compare(ours, limit, 'perSecond', '/s');
  const p99 = compare(ours, limit, 'p99', 'ms');
  const cpu = compare(ours, limit, 'cpuMicros', 'µs');
  return [
    row(3, 'POST /v1/messages, 64 connections', { ...perSecond, floor: 0.2, goal: 0.35, measured: { ours, limit } }),
    row(3, 'the same, p99 (closed loop)', { ...p99, floor: null, goal: 4, atMost: true }),
    row(3, 'the same, processor time per request', { ...cpu, floor: null, goal: null, atMost: true }),
    ...(peer ? rowsBesidePeer(ours, peer) : []),
  ];
}

function rowsBesidePeer(ours, peer) {
  const cpu = compare(ours, peer, 'cpuMicros', 'µs');
  return [
    row(4, 'POST /v1/messages beside Nest on Express with one append', {
      ...compare(ours, peer, 'perSecond', '/s'),
      floor: 1.5,
      goal: 2,
      measured: { peer },
    }),
    row(4, 'the same, processor time per request', { ...cpu, floor: null, goal: null, atMost: true }),
  ];
}

function compare(ours, limit, figure, unit) {
  const [one, other] = [typical(ours, figure), typical(limit, figure)];
  return { ours: one, limit: other, unit, ratio: one / other };
}
