import { join } from 'node:path';
import { freshFolder, limits } from '../places.mjs';
import { loadOn, Server, startService } from '../processes.mjs';
import { row } from '../results.mjs';
import { interleave, typical } from '../rounds.mjs';

const CONNECTIONS = 64;
const THREADS = 2_000;
const WARM_UP_SECONDS = 3;

/** Row 3: POST /v1/messages whole beside a bare server with one durable line. */
export const messages = {
  rows: [3],
  async measure({ rounds, seconds }) {
    const bare = await Server.start([join(limits, 'bare-server.mjs'), join(freshFolder('bare'), 'raw.log')]);
    const service = await startService(freshFolder('messages'));
    const task = { kind: 'message', connections: CONNECTIONS, threads: THREADS, seconds };
    const post = (server, warmup) => loadOn(server, '/v1/messages', { ...task, warmup });
    try {
      // A compiler that is still warming up is no steady state.
      await post(service, WARM_UP_SECONDS);
      await post(bare, 0);
      const measured = await interleave(rounds, { limit: () => post(bare, 0.3), ours: () => post(service, 0.3) });
      return rowsOf(measured);
    } finally {
      await service.stop();
      await bare.stop();
    }
  },
};

function rowsOf({ ours, limit }) {
  const [perSecond, most] = [typical(ours, 'perSecond'), typical(limit, 'perSecond')];
  const p99 = { ours: typical(ours, 'p99'), limit: typical(limit, 'p99'), unit: 'ms' };
  const figures = { ours: perSecond, limit: most, unit: '/s', ratio: perSecond / most, floor: 0.2, goal: 0.35 };
  const cpu = { ours: typical(ours, 'cpuMicros'), limit: typical(limit, 'cpuMicros'), unit: 'µs' };
  return [
    row(3, 'POST /v1/messages, 64 connections', { ...figures, measured: { ours, limit } }),
    row(3, 'the same, p99 (closed loop)', { ...p99, ratio: p99.ours / p99.limit, floor: null, goal: 4, atMost: true }),
    row(3, 'the same, processor time per request', { ...cpu, ratio: cpu.ours / cpu.limit, floor: null, goal: null, atMost: true }),
  ];
}
