import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { freshFolder } from '../builds.mjs';
import { copyOf } from '../directories.mjs';
import { atRate } from '../load.mjs';
import { ADMIN_PASSWORD, startService } from '../processes.mjs';
import { messages } from '../requests.mjs';
import { contest, percentiles } from '../rounds.mjs';

const run = promisify(execFile);

const RATE = 20;
const WARM_UP_S = 5;
const LIVE_S = 10;

/**
 * The workbench folds a million events into a folder of its own, verifies the rows of the service, and takes those of a read model home.
 * Then it does all that beside messages, whose latency is taken without it and with it.
 */
export async function workbench(plan) {
  const found = await contest(plan, measure);
  return { ...found, limit: found.ours.map(({ withoutP99 }) => ({ p99: withoutP99 })) };
}

async function measure(build) {
  const service = await startService(build, await copyOf(build, 'turns'));
  const quiet = await everything(build, service);
  const live = async (seconds) => (await atRate(service.url, messages('smallTalk'), { rate: RATE, seconds })).map(({ ms }) => ms);
  await live(WARM_UP_S);
  const without = percentiles(await live(LIVE_S));
  let isOver = false;
  const working = everything(build, service).finally(() => (isOver = true));
  const latencies = [];
  while (!isOver) latencies.push(...(await live(1)));
  const { total } = await working;
  await service.stop();
  return { ...quiet, besideS: total, p99: percentiles(latencies).p99, withoutP99: without.p99 };
}

/** The seconds of each command, one after the other, from an empty folder. */
async function everything({ nodeOptions, main }, { url }) {
  const folder = freshFolder('workbench');
  const command = async (...words) => {
    const from = performance.now();
    const program = [...nodeOptions, join(dirname(main), 'workbench.js'), ...words, '--url', url, '--folder', folder];
    await run(process.execPath, program, { env: { ...process.env, ADMIN_PASSWORD } });
    return (performance.now() - from) / 1_000;
  };
  const foldS = await command('fold');
  const verifyS = await command('verify');
  const snapshotS = await command(
    'snapshot',
    'conversations',
    '--format',
    'parquet',
    '--out',
    join(folder, 'conversations.parquet'),
  );
  return { foldS, verifyS, snapshotS, total: foldS + verifyS + snapshotS };
}
