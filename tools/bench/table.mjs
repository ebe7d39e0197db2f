import { own, row, share } from './report.mjs';
import { appends, disk } from './rows/appends.mjs';
import { workbench } from './rows/analysts.mjs';
import { deliveries, events, firstDeliveries } from './rows/hooks.mjs';
import { deliveryPages, lists, pages } from './rows/lists.mjs';
import { idleOnes, resident, starts } from './rows/memory.mjs';
import { accepted, booking, expressPeer, messages, ordinary, smallTalk, streamed } from './rows/messages.mjs';
import { neighbours } from './rows/neighbours.mjs';
import { openStreams } from './rows/open-streams.mjs';
import { catchUps, rebuilds } from './rows/projections.mjs';
import { replays } from './rows/replays.mjs';

/** What two runs of one build differ in by more than is a regression: a p99 that follows from the rate, a difference. */
const uncompared = (figure) => ({ ...figure, isCompared: false });

const BARE = 'bare node:http + raw log';
const cpu = (of) => share('cpuMicros', `processor time per ${of}`, 'µs');
const latency = (figure, aim) => uncompared(figure('p99', 'p99, closed loop', 'ms', aim));
const posts = (aim, p99) => [share('perSecond', 'requests', '/s', aim), latency(share, p99), cpu('request')];

/** Every row: its limit, how it is measured, and its figures. */
export const TABLE = [
  row('1', 'append through the port, 64 callers', 'raw log', appends(64), [
    share('perSecond', 'appends', '/s', '0.40'),
    latency(own, '≤ 8 ms'),
  ]),
  row('2', 'append through the port, 1 caller', 'raw log', appends(1), [share('p50', 'p50', 'ms', '≤ ×2')]),
  row('3a', 'POST /v1/messages: small talk, scripted agent', BARE, messages(smallTalk), posts('0.35', '≤ ×4')),
  row('3b', 'POST /v1/messages: a linked customer, a model', `${BARE} + one call`, messages(ordinary), posts('0.30'), 0.2),
  row('3c', 'POST /v1/messages: a booking in words', BARE, messages(booking), posts('0.10'), 0.2),
  row(
    '3d',
    'POST /v1/messages as 3b, answered 202, until its reply is stored',
    `${BARE} + one call`,
    messages(accepted),
    posts('0.30'),
    0.2,
  ),
  row('3e', 'POST /v1/messages as 3b, streamed to its end', `${BARE} + one call`, messages(streamed), posts('0.30'), 0.2),
  row('4', 'POST /v1/messages as 3b', 'Nest + Express, one append', messages(ordinary, expressPeer), posts('2')),
  row('5', 'page of 20 in process, 1M rows', 'a bare prepared range', pages, [share('micros', 'a page anywhere', 'µs', '≤ ×2')]),
  row('6', 'GET a list of 20 over HTTP, 1M rows', 'bare node:http, the same bytes', lists, posts('0.18')),
  row('6b', 'GET /v1/deliveries, a page of 20 anywhere in 1M rows', 'without a filter', deliveryPages, [
    uncompared(share('alone', 'p99 by the slowest filter', 'ms', '≤ ×3')),
    uncompared(share('pairs', 'p99 by the slowest two', 'ms', '≤ ×10')),
  ]),
  row('7', 'deliveries, 64 in flight', 'undici dispatch + HMAC', deliveries(false), [
    share('perSecond', 'deliveries', '/s', '0.25'),
    cpu('delivery'),
  ]),
  row('8', 'deliveries as 7', 'claim, POST and outcome on this engine', deliveries(true), [
    share('perSecond', 'deliveries', '/s', '0.60'),
  ]),
  row('8b', 'command over HTTP to stored outcome of its webhook', `${BARE} + undici`, events, [
    share('perSecond', 'events', '/s', '0.40'),
    own('cpuMicros', 'processor time per event', 'µs', '≤ 400 µs'),
  ]),
  row('9', 'command to first byte at the receiver, 20 per second', 'as 8b', firstDeliveries, [
    own('p50', 'p50', 'ms', '≤ 3 ms'),
    own('p99', 'p99', 'ms', '≤ 10 ms'),
  ]),
  row('10', 'deliveries to 49 endpoints while the fiftieth hangs', 'the same run without it', neighbours, [
    share('p99', 'p99', 'ms', '≤ ×1.1'),
  ]),
  row('11', 'projection catch-up while writes go on', 'events produced by row 3a', catchUps, [
    share('perSecond', 'events', '/s', '1.3'),
  ]),
  row('12', 'rebuild of all read models, 1M events', 'read + JSON.parse', rebuilds, [share('perSecond', 'events', '/s', '0.12')]),
  row('13', 'process start to first 200, 1M events', 'bare node:http', starts, [share('ms', 'start', 'ms', '≤ ×8')]),
  row('14', 'resident memory, 1M events', 'bare node:http idle', resident, [
    share('idleMiB', 'idle', 'MiB', '≤ ×2.6'),
    own('busyMB', 'under row 3a', 'MB', '≤ 250 MB'),
  ]),
  row('15', '100,000 idle conversations, 1,000 idle endpoints', 'without them', idleOnes, [
    uncompared(own('conversationsMiB', 'conversations', 'MiB', '≤ 5 MiB')),
    uncompared(own('endpointKiB', 'each endpoint', 'KiB', '≤ 2 KiB')),
  ]),
  row('16', 'disk per event', 'payload bytes', disk, [share('bytes', 'bytes', 'B', '≤ ×1.35')]),
  row('17', 'bulk replay of 10,000 failed deliveries', 'other endpoints without it', replays, [
    own('seconds', 'until all outcomes are stored', 's', '≤ 60 s'),
    uncompared(share('p99', 'p99 of first deliveries to other endpoints', 'ms', '≤ ×1.1')),
  ]),
  row('18', 'the workbench on 1M events, over HTTP', 'messages without it', workbench, [
    uncompared(own('foldS', 'fold of all read models', 's')),
    uncompared(own('verifyS', 'verify after it', 's')),
    uncompared(own('snapshotS', 'a read model as Parquet', 's', '≤ 60 s')),
    uncompared(own('besideS', 'all of it beside 20 messages a second', 's')),
    uncompared(share('p99', 'p99 of these messages', 'ms', '≤ ×1.1')),
  ]),
  row('19', '1,000 open streams of messages on one gateway', 'other requests without them', openStreams, [
    uncompared(own('eachKiB', 'each stream with its turn', 'KiB')),
    uncompared(share('p99', 'p99 of other requests, 50 per second', 'ms', '≤ ×1.2')),
  ]),
];
