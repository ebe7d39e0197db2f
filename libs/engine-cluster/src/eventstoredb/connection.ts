import type { BaseOptions, EventStoreDBClient, StreamingRead } from '@eventstore/db-client';
import type { Clock } from '@ports/clock.port';
import { answeredWithin } from './answered-within.js';
import type { ConnectionString } from './connection-string.js';
import { DriverClient } from './driver-client.js';
import { failureMeaning } from './failure-meaning.js';
import { gather } from './gather.js';

/** The client is replaced after so many calls in a row without an answer. */
const MAX_UNANSWERED_CALLS = 2;
const RENEWED_EVERY_MS = 4_000;
const DRIVER_LATE_MS = 50;

/**
 * The connection of this process, with one client of the driver at a time. The driver notices a half-open connection only after 15 s, so
 * the client is replaced earlier, and closed once its calls have settled.
 */
export class Connection {
  private client: DriverClient;
  private generation = 0;
  private unanswered = 0;
  private renewedAt = -Infinity;

  constructor(
    private readonly url: ConnectionString,
    private readonly clock: Clock,
  ) {
    this.client = new DriverClient(url.forClient(0), clock);
  }

  /** A unary call. Settles soon after `withinMs`, whatever the driver does. */
  call<T>(withinMs: number, work: (client: EventStoreDBClient, options: BaseOptions) => Promise<T>): Promise<T> {
    const called = this.client.call((client) => work(client, this.options(withinMs)));
    return this.watched(answeredWithin(this.clock, withinMs + DRIVER_LATE_MS, called));
  }

  /** Collects a read. Rejects when the server is silent for `withinMs`. */
  read<E>(withinMs: number, work: (client: EventStoreDBClient, options: BaseOptions) => StreamingRead<E>): Promise<readonly E[]> {
    const read = (client: EventStoreDBClient) => gather(work(client, this.options(withinMs)), this.clock, withinMs);
    return this.watched(this.client.call(read));
  }

  open<S>(work: (client: EventStoreDBClient, options: BaseOptions) => S): S {
    return this.client.run((client) => work(client, this.options()));
  }

  close(): Promise<void> {
    return this.client.dispose();
  }

  /** With credentials the driver appends by a unary call; without, it would wait for ever for a silent server. */
  private options(deadline?: number): BaseOptions {
    return { credentials: this.url.credentials, requiresLeader: true, ...(deadline !== undefined && { deadline }) };
  }

  private async watched<T>(answer: Promise<T>): Promise<T> {
    const { generation } = this;
    try {
      const result = await answer;
      this.unanswered = 0;
      return result;
    } catch (error) {
      if (failureMeaning(error) !== 'unknown') this.unanswered = 0;
      else if (generation === this.generation) this.missed();
      throw error;
    }
  }

  private missed(): void {
    this.unanswered += 1;
    if (this.unanswered < MAX_UNANSWERED_CALLS || this.clock.elapsed() - this.renewedAt < RENEWED_EVERY_MS) return;
    this.unanswered = 0;
    this.renewedAt = this.clock.elapsed();
    this.generation += 1;
    void this.client.retire();
    this.client = new DriverClient(this.url.forClient(this.generation), this.clock);
  }
}
