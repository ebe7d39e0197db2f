import { ownBuild } from '../builds.mjs';
import { Receiver } from '../hooks.mjs';
import { own, planOf, report, row, share } from '../report.mjs';
import { Cluster } from './cluster.mjs';
import { ANSWERS_AFTER, deliveries, deliveryProcesses } from './rows/deliveries.mjs';
import { deliveryPages, firstDeliveries, lists, posts } from './rows/gateway.mjs';
import { rebuild } from './rows/rebuild.mjs';

const TABLE = [
  row('rebuild', 'a read model of one row per event', 'rows written by guarded pipelines', rebuild, [
    share('perSecond', 'events', '/s', '0.4'),
  ]),
  row('posts', 'POST /v1/messages with a key, 64 connections', 'record created, event appended, record replaced', posts, [
    share('perSecond', 'requests', '/s', '0.40'),
    share('p99', 'p99 in that closed loop', 'ms'),
    own('halfP50', 'p50 at half of that rate', 'ms'),
    own('halfP99', 'p99 at half of that rate', 'ms', '≤ 150 ms'),
  ]),
  row('lists', 'a list of 20', 'at rest', lists, [
    share('ownP50', 'behind a write of its own, p50', 'ms', '60 ms'),
    share('ownP99', 'the same, p99', 'ms', '≤ 500 ms'),
    own('stale', 'the same without what was written', 'lists', '0'),
    share('unrelatedP50', 'behind an unrelated write, p50', 'ms', '≤ 50 ms more'),
    share('unrelatedP99', 'the same, p99', 'ms'),
  ]),
  row('delivery-lists', 'GET /v1/deliveries, a page of 20 anywhere in 1M rows', 'without a filter', deliveryPages, [
    share('alone', 'p99 by the slowest filter', 'ms', '≤ ×3'),
    share('pairs', 'p99 by the slowest two', 'ms', '≤ ×10'),
  ]),
  row('first-deliveries', 'command to first byte at the receiver, 20 per second', '–', firstDeliveries, [
    own('p50', 'p50', 'ms', '≤ 150 ms'),
    own('p99', 'p99', 'ms', '≤ 800 ms'),
  ]),
  row('deliveries', 'deliveries that are due', 'consume, append, POST, append', deliveries, [
    share('perSecond', 'deliveries, 1 process', '/s', '0.35'),
  ]),
  row(
    'delivery-processes',
    'the same by more processes',
    '1 process',
    deliveryProcesses,
    ANSWERS_AFTER.flatMap((ms) => [
      share(`2 at ${ms}`, `receivers that answer in ${ms} ms, 2 processes`, '/s', ms === 0 ? '0.9' : '1.8'),
      share(`3 at ${ms}`, 'the same, 3 processes', '/s', ms === 0 ? '0.9' : '2.5'),
    ]),
  ),
];

const plan = planOf(TABLE);
const builds = [ownBuild()];
const cluster = await Cluster.start(builds[0]);
const receiver = await Receiver.start();
try {
  await report({ ...plan, builds, seconds: plan.quick ? 2 : 4, cluster, receiver }, 'tools/bench/cluster/results.json');
} finally {
  await Promise.all([cluster.stop(), receiver.stop()]);
}
