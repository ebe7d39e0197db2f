import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import { DomainError } from '@domain/kernel/domain-error';
import { Logger } from '@platform/logging/logger';
import { isLoggedByEngine } from '@ports/event-store.port';
import { onAbort } from '@ports/on-abort';
import { EventStream } from './event-stream.js';
import { OpenStreams } from './open-streams.js';

export interface StreamedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  /** Each text is asked for once the reader has taken those before. `closed` is aborted when the client is gone. */
  readonly texts: (closed: AbortSignal) => AsyncIterable<string>;
  /** How it ends when the process does: a part of some answers is one too, others must not seem whole. */
  readonly onShutdown: 'end' | 'break-off';
  /** The log line where the texts fail, which breaks the answer off. */
  readonly failure: string;
}

/** Answers that are made while they are read, as fast as they are read. */
@Injectable()
export class StreamedAnswers {
  constructor(
    private readonly shutdown: Shutdown,
    private readonly streams: OpenStreams,
    private readonly logger: Logger,
  ) {}

  /** Begins an answer, which the handler returns. Throws `service_unavailable` where it would be broken off at once. */
  begin(reply: FastifyReply, { headers, texts, onShutdown, failure }: StreamedAnswer): EventStream {
    if (this.shutdown.begun.aborted && onShutdown === 'break-off') throw ending();
    void reply.headers(headers);
    // The head would be sent with the first text, which may take a while.
    reply.raw.once('pipe', () => reply.raw.flushHeaders());
    const stream = new EventStream();
    if (this.shutdown.begun.aborted || reply.request.method === 'HEAD') stream.finish();
    this.streams.enter(stream, () => (onShutdown === 'end' ? stream.finish() : stream.destroy()));
    void send(stream, texts).catch((error: unknown) => {
      if (!stream.destroyed && !isLoggedByEngine(error)) this.logger.failure(failure, error, { request_id: reply.request.id });
      stream.destroy();
    });
    return stream;
  }
}

function ending(): DomainError {
  return new DomainError('service_unavailable', 'The service shuts down. Try again.', { retryAfter: 1 });
}

async function send(stream: EventStream, texts: StreamedAnswer['texts']): Promise<void> {
  const closed = new AbortController();
  stream.once('close', () => closed.abort());
  for await (const text of texts(closed.signal)) {
    stream.send(text);
    await roomIn(stream, closed.signal);
    if (closed.signal.aborted) return;
  }
  stream.finish();
}

/** Resolves once the stream has room for more, or on abort. */
function roomIn(stream: EventStream, signal: AbortSignal): Promise<void> {
  if (!stream.isFull || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const forget = onAbort(signal, resolve);
    stream.onRoom(() => {
      forget();
      resolve();
    });
  });
}
