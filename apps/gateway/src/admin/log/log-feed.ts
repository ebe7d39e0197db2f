import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Pace } from '@application/runtime/pace';
import { Shutdown } from '@application/runtime/shutdown';
import { Clock } from '@ports/clock.port';
import { EventStore, type Recorded } from '@ports/event-store.port';
import type { EventStream } from '../../http/server-sent-events/event-stream.js';
import { StreamedAnswers } from '../../http/server-sent-events/streamed-answers.js';
import { toLogLine } from './log-line.resource.js';
import { noPosition, type LogQuery } from './log-query.js';

/** Milliseconds of work in a second for all readers together: a quarter of a core. */
const WORK_PER_SECOND = 250;
/** So much is rendered before others have their turn. */
const MAX_CHARACTERS = 32 * 1_024;

/** A proxy must neither cache nor change the answer; nginx buffers it unless told otherwise. */
const HEADERS = {
  'content-type': 'application/x-ndjson',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

/** Events of the log as lines of JSON, at the pace of their reader, and of a quarter of a core for all readers. */
@Injectable()
export class LogFeed {
  private readonly pace: Pace;

  constructor(
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly answers: StreamedAnswers,
    shutdown: Shutdown,
  ) {
    this.pace = new Pace(clock, WORK_PER_SECOND, shutdown.begun);
  }

  /** Begins an answer, which the handler returns. Rejects with `parameter_invalid`, and with `StoreUnavailable`. */
  async begin(reply: FastifyReply, query: LogQuery): Promise<EventStream> {
    if (!(await this.store.holds(query.after))) throw noPosition();
    return this.answers.begin(reply, {
      headers: HEADERS,
      texts: (closed) => this.texts(query, closed),
      onShutdown: 'end',
      failure: 'the log could not be read on',
    });
  }

  /** Whole lines, some of them at a time; it works only while the next are asked for. */
  private async *texts({ after, limit, follow, categories, wants }: LogQuery, signal: AbortSignal): AsyncIterable<string> {
    let left = limit;
    let head = await this.store.head();
    let isBehind = head > after;
    if (!isBehind && !follow) return;
    let begunAt = this.clock.elapsed();
    for await (const { events, upTo } of this.store.subscribe(after, { signal, ...(categories && { categories }) })) {
      // To wait for new events is no work.
      if (!isBehind) begunAt = this.clock.elapsed();
      const wanted = events.filter(wants).slice(0, left);
      left -= wanted.length;
      for (const text of textsOf(wanted)) {
        await this.pace.after(this.clock.elapsed() - begunAt);
        if (text !== '') yield text;
        begunAt = this.clock.elapsed();
      }
      if (left === 0) return;
      if (upTo >= head) {
        if (!follow) return;
        head = await this.store.head();
      }
      isBehind = head > upTo;
    }
  }
}

/** At least one text, and more where others should have their turn in between. */
function* textsOf(events: readonly Recorded[]): Generator<string> {
  let text = '';
  for (const event of events) {
    text += `${JSON.stringify(toLogLine(event))}\n`;
    if (text.length < MAX_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text;
}
