import { EventStoreDBClient } from '@eventstore/db-client';
import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { ClientSockets } from '../client-sockets.js';

const SETTLED_WITHIN_MS = 30_000;
const CLOSED_WITHIN_MS = 1_000;

/** The driver's `dispose` ends streams and leaves the channel open, which only a subclass can reach. */
class ClosableClient extends EventStoreDBClient {
  static async close(client: EventStoreDBClient): Promise<void> {
    (await (client as ClosableClient).getChannel()).close();
  }
}

/** A client of the driver with the calls that it has under way. */
export class DriverClient {
  private readonly client: EventStoreDBClient;
  private readonly sockets = new ClientSockets();
  private readonly underWay = new Set<Promise<unknown>>();

  /** Throws where the driver does not understand the connection string. */
  constructor(
    url: string,
    private readonly clock: Clock,
  ) {
    this.client = EventStoreDBClient.connectionString(url);
  }

  /** Uses the client. */
  run<T>(work: (client: EventStoreDBClient) => T): T {
    return this.sockets.run(() => work(this.client));
  }

  /** Uses the client for a call, which counts as under way until it has settled. */
  async call<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const called = this.run(work);
    this.underWay.add(called);
    try {
      return await called;
    } finally {
      this.underWay.delete(called);
    }
  }

  /** Ends what is open. The driver would wait for ever for a call of which it learns no end. */
  async dispose(): Promise<void> {
    await inTime(this.clock, CLOSED_WITHIN_MS, this.client.dispose());
  }

  /** Closes its connections once its calls have settled, after 30 s at most. Its subscriptions end then, too. */
  async retire(): Promise<void> {
    await inTime(this.clock, SETTLED_WITHIN_MS, Promise.allSettled(this.underWay));
    await this.dispose();
    // A client that is still looking for the leader has a channel only once it has found one, and none where the search fails.
    ClosableClient.close(this.client).catch(() => undefined);
    this.sockets.destroy();
  }
}
