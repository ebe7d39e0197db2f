import type { Envelope } from '@domain/kernel/envelope';
import { Logger } from '@platform/logging/logger';
import { eventually } from '@ports/contracts/eventually';
import { EventStore } from '@ports/event-store.port';
import { parseTraceparent } from '@ports/traceparent';
import { RecordedTraces } from '@testing/recorded-traces';
import { API_KEY, BodiesWorld } from '../bodies/bodies-world.js';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';

const MANY = 20;

/** The service on a port, with every request traced. */
class TracedWorld extends BodiesWorld {
  protected override readonly tracer = new RecordedTraces().tracer;
  readonly envelopes: Envelope[] = [];
  /** By request: the ids that its log line bears. */
  readonly logged: { readonly request: unknown; readonly trace: unknown; readonly of: unknown }[] = [];

  protected override beforePipeline(): void {
    const [store, logger] = [this.app.get(EventStore), this.app.get(Logger)];
    const append = store.append.bind(store);
    jest.spyOn(store, 'append').mockImplementation((stream, events, expected) => {
      for (const { metadata } of events) if (metadata) this.envelopes.push(metadata);
      return append(stream, events, expected);
    });
    jest.spyOn(logger, 'info').mockImplementation((message, { request_id: of } = {}) => {
      const { request_id: request, trace_id: trace } = this.tracer.logIds;
      if (message === 'request') this.logged.push({ request, trace, of });
    });
  }

  async pipelined(texts: readonly string[]): Promise<Socket> {
    await this.app.listen(0, '127.0.0.1');
    const socket = connect((this.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    socket.resume().write(texts.join(''));
    return socket;
  }
}

function message(thread: string): string {
  const body = JSON.stringify({ external_conversation_id: thread, content: 'Hello' });
  const fields = ['POST /v1/messages HTTP/1.1', 'Host: service', `Authorization: Bearer ${API_KEY}`];
  const content = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return `${[...fields, ...content].join('\r\n')}\r\n\r\n${body}`;
}

const traceOf = ({ traceparent }: Envelope) => parseTraceparent(traceparent)?.traceId;

it('requests that are pipelined on one connection are one trace each, with their events and their log lines', async () => {
  const world = await TracedWorld.start();
  try {
    world.envelopes.length = world.logged.length = 0;
    const socket = await world.pipelined(Array.from({ length: MANY }, (_, index) => message(`thread-${index}`)));
    await eventually(() => expect(world.logged).toHaveLength(MANY));
    socket.destroy();
    const traces = new Map(world.logged.map(({ of, trace }) => [of, trace]));
    expect(world.logged.map(({ request }) => request)).toEqual(world.logged.map(({ of }) => of));
    expect(new Set(traces.values()).size).toBe(MANY);
    const byCorrelation = new Map<string, Set<unknown>>();
    // The time of the log is no work of a request.
    for (const envelope of world.envelopes.filter(({ $causationId }) => $causationId !== 'timer:log-time')) {
      expect(traceOf(envelope)).toBeDefined();
      if (envelope.requestId !== undefined) expect(traceOf(envelope)).toBe(traces.get(envelope.requestId));
      const known = byCorrelation.get(envelope.$correlationId) ?? new Set();
      byCorrelation.set(envelope.$correlationId, known.add(traceOf(envelope)));
    }
    for (const found of byCorrelation.values()) expect(found.size).toBe(1);
    expect(world.envelopes.length).toBeGreaterThanOrEqual(2 * MANY);
  } finally {
    await world.close();
  }
});
