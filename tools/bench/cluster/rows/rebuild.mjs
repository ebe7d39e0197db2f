import { setTimeout as pause } from 'node:timers/promises';
import { Admin } from '../../admin.mjs';
import { runProgram } from '../../processes.mjs';
import { interleave, typical } from '../../rounds.mjs';
import { until } from '../cluster.mjs';
import { own, share } from '../report.mjs';

const CONVERSATIONS = { usual: 20_000, quick: 2_000 };
const READ_MODEL = 'conversations';
const LOOK_EVERY_MS = 50;

/** A read model of one row per event is rebuilt from the log, by a process that does everything. */
export async function rebuild(bench) {
  const { cluster } = bench;
  await filled(bench);
  for (const projections of cluster.running.projections) await cluster.end('projections', projections);
  const whole = await cluster.add('whole');
  try {
    const admin = await Admin.of(whole);
    await until(() => admin.isCaughtUp());
    return await beside(bench, admin);
  } finally {
    await cluster.end('whole', whole);
    await cluster.add('projections');
  }
}

async function filled({ cluster, build, quick }) {
  const { servers } = cluster;
  const { id: projectId } = await cluster.project();
  const conversations = CONVERSATIONS[quick ? 'quick' : 'usual'];
  await runProgram('fill.mjs', { build: build.path, servers, projectId, conversations, withMessages: false });
  await pause(1_000);
  await cluster.caughtUp();
}

async function beside({ cluster: { servers }, rounds }, admin) {
  const found = await interleave(rounds, {
    floor: async () => {
      const { read, write } = await runProgram('cluster-rebuild.mjs', { servers, rowsOf: READ_MODEL });
      return { events: read.events, rows: write.rows, read: read.perSecond, write: write.perSecond };
    },
    ours: async () => ({ seconds: await rebuilt(admin) }),
  });
  const { events } = found.floor[0];
  const [read, write] = [typical(found.floor, 'read'), typical(found.floor, 'write')];
  return [
    share(`rebuild of ${READ_MODEL}, events`, events / typical(found.ours, 'seconds'), Math.min(read, write), {
      aim: '≥ 0.4',
      measured: found,
    }),
    own('of its floor: paged reading', read, '/s'),
    own('of its floor: rows written by guarded pipelines', write, '/s'),
  ];
}

async function rebuilt(admin) {
  const from = performance.now();
  await admin.rebuild(READ_MODEL);
  const state = async () => (await admin.projections()).find(({ name }) => name === READ_MODEL).rebuild?.state;
  await until(async () => (await state()) !== 'running', LOOK_EVERY_MS);
  if ((await state()) !== 'done') throw new Error('the rebuild failed');
  return (performance.now() - from) / 1_000;
}
