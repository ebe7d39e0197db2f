/** A figure that is compared with the limit's: a share of it, or where `atMost` says so a multiple that is better small. */
const share = (key, name, unit, bounds = {}) => ({ key, name, unit, isShare: true, atMost: false, ...bounds });

/** A figure that counts by itself, the limit's only for information. Of a difference, which may be none, no share is taken. */
const own = (key, name, unit, bounds = {}) => ({ key, name, unit, isShare: false, atMost: true, ...bounds });

const atMost = true;
const BARE = 'bare node:http + raw log';
const LOOP = '64 connections, closed loop';
const BACKLOG = 'a backlog, 64 in flight';
const requests = (bounds) => share('perSecond', 'requests', '/s', bounds);
/** In a closed loop it follows from the rate, and two runs of one build differ in it by more than is a regression. */
const latency = (bounds) => share('p99', 'p99, closed loop', 'ms', { atMost, isCompared: false, ...bounds });
const processor = (of) => share('cpuMicros', `processor time per ${of}`, 'µs', { atMost });
const ofPosts = (bounds, p99) => [requests(bounds), latency(p99), processor('request')];

/** How much worse than another checkout in the same rounds is no regression, unless a row says otherwise. */
const TOLERANCE = 0.15;

function row(id, name, { limit, method, tolerance = TOLERANCE }, figures) {
  const complete = ({ aim = null, least = null, isCompared = aim !== null, ...figure }) => ({
    ...figure,
    aim,
    least,
    isCompared,
  });
  return { row: id, name, limit, method, tolerance, figures: figures.map(complete) };
}

/**
 * Every row: what is measured, beside which limit, how; for each figure `aim`, what we work towards, and `least`, where
 * users would begin to feel it. Neither fails a run.
 */
export const TABLE = [
  row('1', 'append through the port, 64 callers', { limit: 'raw log', method: '64 callers, a stream each' }, [
    share('perSecond', 'appends', '/s', { least: 0.25, aim: 0.4 }),
    own('p99', 'p99, closed loop', 'ms', { aim: 8, isCompared: false }),
  ]),
  row('2', 'append through the port, 1 caller', { limit: 'raw log', method: '1 caller' }, [
    share('p50', 'p50', 'ms', { atMost, least: 4, aim: 2 }),
  ]),
  row(
    '3a',
    'POST /v1/messages whole: small talk, scripted agent',
    { limit: BARE, method: LOOP },
    ofPosts({ least: 0.15, aim: 0.35 }, { aim: 4 }),
  ),
  row(
    '3b',
    'POST /v1/messages whole: a linked customer, a model that answers at once',
    { limit: `${BARE} + one call to that model`, method: LOOP, tolerance: 0.2 },
    ofPosts({ aim: 0.3 }),
  ),
  row(
    '3c',
    'POST /v1/messages whole: a booking in words, scripted agent',
    { limit: BARE, method: LOOP, tolerance: 0.2 },
    ofPosts({ aim: 0.1 }),
  ),
  row(
    '4',
    'POST /v1/messages as 3b',
    { limit: 'Nest + Express + ValidationPipe, the same store, one append, the same call', method: LOOP },
    ofPosts({ least: 1, aim: 2 }),
  ),
  row('5', 'page of 20 in process, 1M rows', { limit: 'a bare prepared range of 20 on the same file', method: '5,000 pages' }, [
    share('page', 'a page anywhere', 'µs', { atMost, least: 4, aim: 2 }),
    own('manyToFew', 'newest page, 1M rows ÷ 10k', '×', { aim: 1.5 }),
    own('endToStart', 'end of the list ÷ its start', '×', { aim: 1.5 }),
  ]),
  row('6', 'GET a list of 20 over HTTP, 1M rows', { limit: 'bare node:http, the same bytes, static', method: LOOP }, [
    requests({ least: 0.1, aim: 0.18 }),
  ]),
  row('7', 'deliveries, each claimed, posted, signed and recorded', { limit: 'undici dispatch + HMAC', method: BACKLOG }, [
    share('perSecond', 'deliveries', '/s', { least: 0.1, aim: 0.25 }),
    processor('delivery'),
  ]),
  row('8', 'deliveries as 7', { limit: 'claim, POST and outcome on this engine and nothing else', method: BACKLOG }, [
    share('perSecond', 'deliveries', '/s', { least: 0.35, aim: 0.6 }),
  ]),
  row('8b', 'whole way, command over HTTP to stored outcome of its webhook', { limit: `${BARE} + undici`, method: LOOP }, [
    share('perSecond', 'events', '/s', { least: 0.15, aim: 0.4 }),
    own('cpuMicros', 'processor time per event', 'µs', { least: 900, aim: 400 }),
  ]),
  row('9', 'command to first byte at the receiver', { limit: 'as 8b', method: '20 commands a second, open loop' }, [
    own('p50', 'p50', 'ms', { least: 10, aim: 3 }),
    own('p99', 'p99', 'ms', { least: 50, aim: 10 }),
  ]),
  row(
    '10',
    'delivery to 49 endpoints while the fiftieth hangs',
    { limit: 'the same run without it', method: '6 commands a second, open loop' },
    [own('p99', 'p99 ÷ without it', '×', { least: 1.25, aim: 1.1 }), own('p50', 'p50 ÷ without it', '×')],
  ),
  row('11', 'projection catch-up while writes go on', { limit: 'events produced by row 3a', method: LOOP }, [
    own('share', 'events projected ÷ produced', '×', { atMost: false, least: 1, aim: 1.3 }),
  ]),
  row('12', 'rebuild of all read models, 1M events', { limit: 'read + JSON.parse', method: 'one rebuild a round' }, [
    share('perSecond', 'events', '/s', { least: 0.06, aim: 0.12 }),
  ]),
  row('13', 'process start to first 200, 1M events', { limit: 'bare node:http', method: 'one start a round' }, [
    share('ms', 'start', 'ms', { atMost, least: 15, aim: 8 }),
    own('seconds', 'start', 's', { least: 3 }),
    own('toEmpty', 'start ÷ with nothing stored', '×', { aim: 1.2 }),
  ]),
  row('14', 'resident memory, 1M events', { limit: 'bare node:http idle', method: 'idle for 4 s; the most under row 3a' }, [
    share('idleMiB', 'idle', 'MiB', { atMost, least: 4, aim: 2.6 }),
    own('busyMB', 'under row 3a', 'MB', { least: 300, aim: 250 }),
  ]),
  row('15', '100k idle conversations, 1,000 idle endpoints', { limit: 'without them', method: 'idle for 4 s' }, [
    own('conversationsMiB', 'more memory for the conversations', 'MiB', { least: 20, aim: 5, isDifference: true }),
    own('endpointKiB', 'more memory for each endpoint', 'KiB', { least: 8, aim: 2, isDifference: true }),
  ]),
  row('16', 'bytes on disk per event', { limit: 'payload bytes', method: 'streams of ten events' }, [
    share('perEvent', 'bytes', 'B', { atMost, least: 1.6, aim: 1.35 }),
  ]),
  row('17', 'bulk replay of 10,000 failed deliveries', { limit: null, method: '16 connections, closed loop' }, [
    own('seconds', 'until all outcomes are stored', 's', { least: 120, aim: 60 }),
  ]),
];
