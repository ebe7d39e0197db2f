import { loadOn, runProgram } from '../../processes.mjs';
import { interleave, typical } from '../../rounds.mjs';
import { own, share } from '../report.mjs';

const CONNECTIONS = 64;
const TALK = { kind: 'smallTalk', connections: CONNECTIONS, threads: 2_000, expect: '"role":"assistant"' };
const WARM_UP_SECONDS = 8;

/** `POST /v1/messages` with a key, answered by the scripted agent. */
export async function posts({ cluster, rounds, seconds, quick }) {
  const { servers } = cluster;
  const post = (task) => loadOn(cluster.gateway, '/v1/messages', { ...TALK, warmup: 0.5, ...task });
  await post({ seconds: quick ? 3 : WARM_UP_SECONDS });
  const found = await interleave(rounds, {
    floor: () => runProgram('cluster-turns.mjs', { servers, inFlight: CONNECTIONS, seconds }),
    ours: () => post({ seconds }),
  });
  const [rate, floor] = [typical(found.ours, 'perSecond'), typical(found.floor, 'perSecond')];
  const half = await post({ rate: rate / 2, seconds: 2 * seconds });
  return [
    share('message post with key, 64 connections', rate, floor, { aim: '≥ 0.40', measured: found }),
    own('p99 in that closed loop', typical(found.ours, 'p99'), 'ms', { floor: typical(found.floor, 'p99') }),
    own('p50 at half of that rate', half.p50, 'ms'),
    own('p99 at half of that rate', half.p99, 'ms', { aim: '≤ 150 ms', measured: half }),
  ];
}
