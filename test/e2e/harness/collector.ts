import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { spansIn, type CollectedSpan } from './otlp-spans.js';

/** An OpenTelemetry collector on this machine, which keeps what it is sent. */
export class Collector {
  private readonly requests: Buffer[] = [];
  private readonly server: Server;

  private constructor(answer: RequestListener) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url === '/v1/traces') this.requests.push(Buffer.concat(chunks));
        answer(request, response);
      });
    });
  }

  static async start(answer: RequestListener = (_, response) => void response.end()): Promise<Collector> {
    const collector = new Collector(answer);
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  /** The settings of an app that sends it the traces which a client keeps, and no other. */
  get variables(): Readonly<Record<string, string>> {
    const { port } = this.server.address() as AddressInfo;
    return { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_TRACES_SAMPLER_ARG: '0' };
  }

  /** Every byte that it was sent. */
  get bytes(): Buffer {
    return Buffer.concat(this.requests);
  }

  /** All spans, or those of one trace, by the time of their beginning. */
  spans(traceId?: string): readonly CollectedSpan[] {
    const found = this.requests.flatMap(spansIn).filter((span) => traceId === undefined || span.traceId === traceId);
    return found.sort((a, b) => Number(a.startedAt > b.startedAt) - Number(a.startedAt < b.startedAt));
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A trace as text: each span below the one that it belongs to, with what it tells and how long it took. */
export function treeOf(spans: readonly CollectedSpan[], below = rootOf(spans), indent = ''): string {
  const lines = spans
    .filter(({ parentId }) => parentId === below)
    .map((span) => {
      const told = Object.entries(span.attributes).map(([name, value]) => `${name}=${value}`);
      const links = span.links.map(({ spanId }) => `-> ${nameOf(spans, spanId)}`);
      const ms = (Number(span.endedAt - span.startedAt) / 1e6).toFixed(1);
      const line = [`${indent}${span.name}`, `[${span.service}]`, `${ms} ms`, ...told, ...links].join(' ');
      return `${line}\n${treeOf(spans, span.spanId, `${indent}  `)}`;
    });
  return lines.join('');
}

/** The one parent that is not among the spans: the client's. */
function rootOf(spans: readonly CollectedSpan[]): string {
  const known = new Set(spans.map(({ spanId }) => spanId));
  return spans.find(({ parentId }) => !known.has(parentId))?.parentId ?? '';
}

function nameOf(spans: readonly CollectedSpan[], id: string): string {
  return spans.find(({ spanId }) => spanId === id)?.name ?? 'elsewhere';
}
