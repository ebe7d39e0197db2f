import { EventStoreDBClient } from '@eventstore/db-client';
import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { ClientSockets } from '../client-sockets.js';

const SETTLED_WITHIN_MS = 30_000;
const CLOSED_WITHIN_MS = 1_000;

/** The driver's `dispose` leaves the channel open, which only a subclass can reach. */
class ClosableClient extends EventStoreDBClient {
  static async close(client: EventStoreDBClient): Promise<void> {
    (await (client as ClosableClient).getChannel()).close();
  }
}

export class DriverClient {
  private readonly client: EventStoreDBClient;
  private readonly sockets = new ClientSockets();
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(
    url: string,
    private readonly clock: Clock,
  ) {
    this.client = EventStoreDBClient.connectionString(url);
  }

  run<T>(work: (client: EventStoreDBClient) => T): T {
    return this.sockets.run(() => work(this.client));
  }

  async call<T>(work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const called = this.run(work);
    this.underWay.add(called);
    try {
      return await called;
    } finally {
      this.underWay.delete(called);
    }
  }

  /** Bounded in time: the driver would wait for ever for a call whose end it missed. */
  async dispose(): Promise<void> {
    await inTime(this.clock, CLOSED_WITHIN_MS, this.client.dispose());
  }

  /** Closes its connections once its calls have settled, after 30 s at most. Its subscriptions end too. */
  async retire(): Promise<void> {
    await inTime(this.clock, SETTLED_WITHIN_MS, Promise.allSettled(this.underWay));
    await this.dispose();
    // A client that is looking for the leader has no channel yet, and never gets one if the search fails.
    ClosableClient.close(this.client).catch(() => undefined);
    this.sockets.destroy();
  }
}
