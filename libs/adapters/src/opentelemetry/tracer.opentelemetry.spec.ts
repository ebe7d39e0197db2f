import { InMemorySpanExporter, type ReadableSpan, type SpanExporter } from '@opentelemetry/sdk-trace';
import { tracerContract } from '@ports/contracts/tracer.contract';
import { parseTraceparent } from '@ports/traceparent';
import type { SpanFields } from '@ports/tracer.port';
import { FakeClock } from '@testing/fake-clock';
import { OpenTelemetryTracer, type TracerOptions } from './tracer.opentelemetry.js';

const REMOTE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const OTHER = '00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b8-01';
const UNSAMPLED = REMOTE.replace(/01$/, '00');

let spans: readonly ReadableSpan[];
let told: (string | null)[];
beforeEach(() => void ([spans, told] = [[], []]));

/** Keeps what it got: the exporter in memory forgets that when it is shut down. */
class Kept extends InMemorySpanExporter {
  override shutdown(): Promise<void> {
    spans = this.getFinishedSpans();
    return super.shutdown();
  }
}

const tracerOf = (options: Partial<TracerOptions> = {}, exporter: SpanExporter = new Kept(), clock = new FakeClock()) =>
  new OpenTelemetryTracer(
    {
      service: 'gateway',
      version: '1.2.3',
      sampler: 'parentbased_always_on',
      ratio: 1,
      exported: (failure) => void told.push(failure?.message ?? null),
      ...options,
    },
    exporter,
    clock,
  );

tracerContract('OpenTelemetryTracer', () => tracerOf());

const shortOf = ({ name, attributes, status, links, parentSpanContext }: ReadableSpan) => ({
  name,
  attributes,
  failed: status.code === 2,
  links: links.map(({ context }) => context.spanId),
  above: parentSpanContext?.spanId,
});

describe('the spans that a collector gets', () => {
  it('form a tree, with their attributes and links', async () => {
    const tracer = tracerOf();
    let request = '';
    await tracer.run(
      'request',
      { request_id: 'req_1' },
      async (span) => {
        request = parseTraceparent(span.traceparent)?.spanId ?? '';
        await tracer.run('tool', { tool: 'book' }, () => Promise.reject(new RangeError('of a client'))).catch(() => undefined);
        tracer.link(OTHER);
        span.set({ 'http.request.method': 'POST', 'http.route': '/v1/messages' });
      },
      { parent: REMOTE, links: [REMOTE, REMOTE, UNSAMPLED, 'none'] },
    );
    await tracer.close();
    expect(spans.map(shortOf)).toEqual([
      { name: 'tool', attributes: { tool: 'book', 'error.type': 'RangeError' }, failed: true, links: [], above: request },
      {
        name: 'POST /v1/messages',
        attributes: { request_id: 'req_1', 'http.request.method': 'POST', 'http.route': '/v1/messages' },
        failed: false,
        links: ['00f067aa0ba902b7', '00f067aa0ba902b8'],
        above: '00f067aa0ba902b7',
      },
    ]);
    expect(spans[0]?.resource.attributes).toEqual({ 'service.name': 'gateway', 'service.version': '1.2.3' });
    expect(spans.flatMap(({ events }) => events)).toEqual([]);
  });

  it.each([
    ['+49 151 23456789'],
    ['4915123456789'],
    ['person@example.com'],
    ['/v1/customers?email=a'],
    ['a sentence of a client'],
    ['x'.repeat(200)],
    [['nested']],
  ])('bear no value that could be a client’s: %j', async (value) => {
    const tracer = tracerOf();
    const fields = { tool: value, stream: 'appointment', unheard_of: 'of' } as unknown as SpanFields;
    tracer.begin('tool', fields).end();
    await tracer.close();
    expect(spans.map(({ attributes }) => attributes)).toEqual([{ stream: 'appointment' }]);
  });

  it('are those of a trace that is sampled, here or where it began', async () => {
    const tracer = tracerOf({ sampler: 'parentbased_traceidratio', ratio: 0 });
    const seen: (string | undefined)[] = [];
    for (const parent of [undefined, UNSAMPLED, REMOTE]) {
      await tracer.run(
        'attempt',
        {},
        async () => {
          const below = tracer.begin('append', {});
          seen.push(below.traceparent?.slice(-2));
          below.end();
        },
        { parent },
      );
    }
    await tracer.close();
    expect(seen).toEqual(['00', '00', '01']);
    expect(spans.map(({ name }) => name)).toEqual(['append', 'attempt']);
  });

  it.each([
    ['always_on', ['01', '01', '01']],
    ['always_off', ['00', '00', '00']],
    ['traceidratio', ['01', '01', '01']],
    ['parentbased_always_on', ['01', '00', '01']],
    ['parentbased_always_off', ['00', '00', '01']],
  ] as const)('are sampled by %s', async (sampler, flags) => {
    const tracer = tracerOf({ sampler });
    const begun = [undefined, UNSAMPLED, REMOTE].map((parent) => tracer.begin('attempt', {}, { parent }));
    expect(begun.map(({ traceparent }) => traceparent?.slice(-2))).toEqual(flags);
    await tracer.close();
  });
});

describe('a collector', () => {
  it('that takes spans, and one that does not, are told of', async () => {
    for (const code of [0, 1]) {
      const exporter = { export: (_: unknown, done: (result: { code: number }) => void) => done({ code }) };
      const tracer = tracerOf({}, { ...exporter, shutdown: () => Promise.resolve() });
      tracer.begin('append', {}).end();
      await tracer.close();
    }
    expect(told).toEqual([null, 'refused']);
  });

  /** Takes spans, and answers when it is told to. */
  class Slow implements SpanExporter {
    taken = 0;
    private readonly waiting: (() => void)[] = [];
    private isQuick = false;

    export(batch: ReadableSpan[], done: (result: { code: number }) => void): void {
      this.taken += batch.length;
      const answer = () => done({ code: 0 });
      if (this.isQuick) answer();
      else this.waiting.push(answer);
    }

    answer(): void {
      this.isQuick = true;
      this.waiting.forEach((each) => each());
    }

    shutdown(): Promise<void> {
      return Promise.resolve();
    }
  }

  it('that never answers does not hold up the end of the process', async () => {
    const [clock, slow] = [new FakeClock(), new Slow()];
    const tracer = tracerOf({}, slow, clock);
    tracer.begin('append', {}).end();
    let isClosed = false;
    const closing = tracer.close().then(() => (isClosed = true));
    await clock.advance(1_999);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closing;
    slow.answer();
  });

  it('that does not answer costs a bounded number of spans, and the newest are dropped', async () => {
    const slow = new Slow();
    const tracer = tracerOf({}, slow);
    for (let count = 0; count < 10_000; count++) tracer.begin('append', {}).end();
    expect(slow.taken).toBe(512);
    slow.answer();
    await tracer.close();
    expect(slow.taken).toBe(512 + 4_096);
  });
});
