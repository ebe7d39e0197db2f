import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Pace } from '@application/runtime/pace';
import { Shutdown } from '@application/runtime/shutdown';
import type { Customer } from '@domain/customer/customer';
import { Clock } from '@ports/clock.port';
import type { EventStream } from '../../http/server-sent-events/event-stream.js';
import { StreamPlaces } from '../../http/server-sent-events/stream-places.js';
import { StreamedAnswers } from '../../http/server-sent-events/streamed-answers.js';
import { ExportedCustomer } from './exported-customer.js';

/** Exports at once on a gateway. */
export const MAX_EXPORTS = 20;
export const MAX_EXPORTS_OF_PROJECT = 4;
/** Milliseconds of work in a second for all exports together: a quarter of a core. */
const WORK_PER_SECOND = 250;
/** So much is rendered before others have their turn. */
const MAX_CHARACTERS = 32 * 1_024;

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/** Exports of customers, at the pace of their reader, and of a quarter of a core for all readers. */
@Injectable()
export class CustomerExports {
  private readonly places = new StreamPlaces({
    most: MAX_EXPORTS,
    mostOfOwner: MAX_EXPORTS_OF_PROJECT,
    retryAfterSeconds: 10,
  });
  private readonly pace: Pace;

  constructor(
    private readonly exported: ExportedCustomer,
    private readonly answers: StreamedAnswers,
    private readonly clock: Clock,
    shutdown: Shutdown,
  ) {
    this.pace = new Pace(clock, WORK_PER_SECOND, shutdown.begun);
  }

  /**
   * Begins an answer, which the handler returns. Rejects with `service_unavailable`, and where the first part cannot be read.
   * @param owner whose places it takes
   */
  async begin(reply: FastifyReply, customer: Customer, owner: string): Promise<EventStream> {
    const leave = this.places.enter(owner);
    try {
      const texts = this.paced(this.exported.textsOf(customer));
      // While nothing is sent, a failure still has its status.
      const { value: first } = await texts.next();
      const stream = this.answers.begin(reply, {
        headers: HEADERS,
        texts: () => startingWith(String(first), texts),
        onShutdown: 'break-off',
        failure: 'a customer could not be exported to the end',
      });
      stream.once('close', leave);
      return stream;
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async *paced(texts: AsyncIterable<string>): AsyncGenerator<string> {
    let begunAt = this.clock.elapsed();
    let part = '';
    for await (const text of texts) {
      part += text;
      if (part.length < MAX_CHARACTERS) continue;
      // To wait for the reader is no work.
      const work = this.clock.elapsed() - begunAt;
      yield part;
      part = '';
      await this.pace.after(work);
      begunAt = this.clock.elapsed();
    }
    yield part;
  }
}

async function* startingWith(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}
