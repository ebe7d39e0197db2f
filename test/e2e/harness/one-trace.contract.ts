import { randomBytes } from 'node:crypto';
import type { App } from './app.js';
import { Collector, treeOf } from './collector.js';
import { book } from './ledger.js';
import type { CollectedSpan } from './otlp-spans.js';
import { Backend, deliveryIn, LOCAL_HOOKS, type Hook } from './receiver.js';

/** The apps of a service: the one that clients ask, and the others. */
export interface TracedApps {
  readonly gateway: App;
  readonly others: readonly App[];
  dispose(): Promise<void>;
}

type Trace = ReturnType<typeof clientTrace>;

/** A trace that a client begins and keeps. */
export function clientTrace() {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'vendor=private' } };
}

const REPLAY = 'POST /v1/events/:id/deliveries/:delivery_id/retry';

/** Ids of the trace and the span that a webhook names. */
const namedBy = ({ requests }: Hook) =>
  requests.map(({ headers }) => /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(String(headers['traceparent'])) ?? []);

/**
 * Books in the first trace, until its webhook has failed and arrived, and replays it there and in the second one; then books outside
 * of any trace, to another endpoint. Stops the apps; resolves to what they logged.
 */
async function follow(apps: TracedApps, [first, second]: readonly Trace[], hook: Hook, untraced: Hook): Promise<string> {
  const { api } = apps.gateway;
  await api.post('/v1/webhook_endpoints', {
    url: hook.url,
    headers: { Traceparent: 'of the receiver', TraceState: 'of the receiver' },
  });
  await book(api, {}, first?.headers);
  await hook.received(2);
  const { event_id: eventId, id } = await deliveryIn('succeeded', api);
  const again = (trace?: Trace) => api.post(`/v1/events/${eventId}/deliveries/${id}/retry`, undefined, trace?.headers);
  await again(first);
  await hook.received(3);
  await deliveryIn('succeeded', api);
  await api.post('/v1/webhook_endpoints', { url: untraced.url });
  await book(api);
  await untraced.received();
  await again(second);
  await hook.received(5);
  const all = [apps.gateway, ...apps.others];
  const codes = await Promise.all(all.map((app) => app.stop()));
  if (codes.some((code) => code !== 0)) throw new Error(`The apps ended with ${codes.join()}.`);
  await apps.dispose();
  return all.map(({ log }) => log).join('');
}

/** What traces call each part of the service. */
export interface AppNames {
  readonly gateway: string;
  readonly projections: string;
  readonly delivery: string;
}

/** What an operator and a receiver see of one trace, whichever processes it goes through. */
export function oneTrace(start: (variables: Readonly<Record<string, string>>) => Promise<TracedApps>, appOf: AppNames): void {
  describe('a booking that a client traces, whose webhook fails, is sent again and is replayed', () => {
    const [trace, later] = [clientTrace(), clientTrace()];
    let [collector, backend]: [Collector, Backend] = [null as never, null as never];
    let [hook, untraced]: [Hook, Hook] = [null as never, null as never];
    let spans: readonly CollectedSpan[];
    let logs: string;

    const named = (name: string) => spans.filter((span) => span.name === name);
    const idOf = (name: string) => named(name)[0]?.spanId;

    beforeAll(async () => {
      [collector, backend] = [await Collector.start(), await Backend.start()];
      const apps = await start({ ...LOCAL_HOOKS, ...collector.variables });
      hook = backend.hook(500, 200, 200);
      untraced = backend.hook(200);
      logs = await follow(apps, [trace, later], hook, untraced);
      spans = collector.spans(trace.traceId);
    });
    afterAll(() => Promise.all([collector.close(), backend.close()]));

    it('is one tree, from the requests to the attempts', () => {
      const known = new Set([trace.spanId, ...spans.map(({ spanId }) => spanId)]);
      expect(spans.filter(({ parentId }) => !known.has(parentId))).toEqual([]);
      const roots = spans.filter(({ parentId }) => parentId === trace.spanId).map(({ name }) => name);
      expect(roots).toEqual(['POST /v1/appointments', REPLAY]);
      // `SHOW_TRACE=1` prints the example of docs/operations/tracing.md.
      if (process.env['SHOW_TRACE'] !== undefined) process.stderr.write(treeOf(spans));
    });

    it('leads from the booking over its event to both attempts, and from the replay to the third', () => {
      const [first, again, replayed] = named('attempt');
      expect(named('fan-out').map(({ parentId }) => parentId)).toEqual([idOf('POST /v1/appointments')]);
      expect([first?.parentId, again?.parentId]).toEqual([idOf('fan-out'), idOf('fan-out')]);
      expect(replayed?.parentId).toBe(idOf(REPLAY));
      expect(named('attempt')).toHaveLength(3);
    });

    it('says of each attempt how it went', () =>
      expect(named('attempt').map(({ attributes, hasFailed }) => [attributes, hasFailed])).toEqual([
        [expect.objectContaining({ attempt: 1, verdict: 'retry', 'http.response.status_code': 500 }), true],
        [expect.objectContaining({ attempt: 2, verdict: 'success', 'http.response.status_code': 200 }), false],
        [expect.objectContaining({ attempt: 1, verdict: 'success', 'http.response.status_code': 200 }), false],
      ]));

    it('has a link over each wait: from an attempt to the publication that began it', () => {
      const [first, again, replayed] = named('attempt');
      const publicationOf = (span?: CollectedSpan) => spans.find(({ spanId }) => spanId === span?.links[0]?.spanId);
      expect([first, again, replayed].map((span) => publicationOf(span)?.name)).toEqual(Array(3).fill('publication'));
      expect(publicationOf(first)?.parentId).toBe(idOf('fan-out'));
      expect(publicationOf(again)?.parentId).toBe(first?.spanId);
      expect(publicationOf(replayed)?.parentId).toBe(replayed?.parentId);
    });

    it('is told to the receiver as the span of the attempt, in place of what its own headers say', () => {
      const told = namedBy(hook).map(([, traceId, spanId, flags]) => ({ traceId, spanId, flags }));
      expect(told.slice(0, 3)).toEqual(named('attempt').map(({ spanId }) => ({ traceId: trace.traceId, spanId, flags: '01' })));
      expect(hook.requests.map(({ headers }) => headers['tracestate'])).toEqual(hook.requests.map(() => undefined));
    });

    it('shows commands with their appends, and the rows that they led to', () => {
      for (const append of named('append')) {
        expect(spans.find(({ spanId }) => spanId === append.parentId)?.name).toBe('command');
        expect(append.attributes).toEqual({ stream: expect.any(String), events: expect.any(Number) });
      }
      const collections = new Set(named('projection').map(({ attributes: { collection } }) => collection));
      expect([...collections]).toEqual(expect.arrayContaining(['appointments', 'events', 'deliveries']));
    });

    it('names the app of each span', () => {
      const appsOf = (name: string) => [...new Set(named(name).map(({ service }) => service))];
      expect(appsOf('POST /v1/appointments')).toEqual([appOf.gateway]);
      expect(appsOf('fan-out')).toEqual([appOf.projections]);
      expect(appsOf('projection')).toEqual([appOf.projections]);
      expect(appsOf('attempt')).toEqual([appOf.delivery]);
    });

    it('is alone in what is kept: the webhook of another booking says that it is not', () =>
      expect(namedBy(untraced).map(([, , , flags]) => flags)).toEqual(['00']));

    it('has a link from a replay that another trace asks for', () => {
      const request = collector.spans(later.traceId).find(({ name }) => name === REPLAY);
      expect(request?.parentId).toBe(later.spanId);
      expect(request?.links).toEqual([{ traceId: trace.traceId, spanId: idOf('fan-out') }]);
    });

    it('is kept because its client keeps it: others are left to the sampler', () =>
      expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([trace.traceId, later.traceId])));

    it('is in the log lines of its requests', () => {
      const lines = logs.split('\n').filter((line) => line.includes(trace.traceId));
      const routes = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
      expect(routes.map(({ request_id, route }) => [typeof request_id, route])).toEqual([
        ['string', '/v1/appointments'],
        ['string', '/v1/events/:id/deliveries/:delivery_id/retry'],
      ]);
    });
  });
}
