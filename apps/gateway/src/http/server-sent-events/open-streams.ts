import { Injectable } from '@nestjs/common';
import { Shutdown } from '@application/runtime/shutdown';
import { Metrics } from '@platform/operations/metrics';
import { onAbort } from '@ports/on-abort';
import type { EventStream } from './event-stream.js';

/** Every answer that stays open. */
@Injectable()
export class OpenStreams {
  /** With what ends each when the process ends. */
  private readonly open = new Map<EventStream, () => void>();
  private whenEnded: (() => void) | null = null;

  constructor(shutdown: Shutdown, metrics: Metrics) {
    onAbort(shutdown.begun, () => this.open.forEach((end) => end()));
    metrics.gauge(
      'http_event_streams',
      'Answers that stay open: server-sent events, events of the log and exports of customers.',
      () => this.open.size,
    );
  }

  /** `end` is called once the process is asked to end, and must then finish the stream. */
  enter(stream: EventStream, end: () => void): void {
    this.open.set(stream, end);
    stream.once('close', () => {
      this.open.delete(stream);
      if (this.open.size === 0) this.whenEnded?.();
    });
  }

  /** Resolves once no stream is open. */
  ended(): Promise<void> {
    if (this.open.size === 0) return Promise.resolve();
    return new Promise((resolve) => (this.whenEnded = resolve));
  }
}
