import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import { Clock } from '@ports/clock.port';
import { commentText, EventStream } from './event-stream.js';
import { OpenStreams } from './open-streams.js';

/** Below the usual timeouts of proxies. */
const COMMENT_EVERY_MS = 15_000;

/** A proxy must neither cache nor change the answer; nginx buffers it unless told otherwise. */
const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** Answers of server-sent events: their head, their comments, and their end with the process. */
@Injectable()
export class ServerSentEvents {
  constructor(
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
    private readonly streams: OpenStreams,
  ) {}

  /** Begins an answer, which the handler returns. `position` is asked for the `id` of each comment; null for none. */
  begin(reply: FastifyReply, position: () => string | null): EventStream {
    void reply.headers(HEADERS);
    const stream = new EventStream();
    // A first comment, as the head is sent with the first byte.
    stream.send(commentText('open', position()));
    if (this.shutdown.begun.aborted || reply.request.method === 'HEAD') stream.finish();
    stream.once('close', this.comment(stream, position));
    this.streams.enter(stream, () => {
      if (!stream.isFull) stream.send(commentText('the service shuts down'));
      stream.finish();
    });
    return stream;
  }

  private comment(stream: EventStream, position: () => string | null): () => void {
    let cancel = (): void => undefined;
    const next = () => {
      cancel = this.clock.after(COMMENT_EVERY_MS, () => {
        if (!stream.isFull) stream.send(commentText('alive', position()));
        next();
      });
    };
    next();
    return () => cancel();
  }
}
