import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const TIMES = ENGINE_CONSTANTS.kafka;

/** The work did not settle in time; it may still go on. */
export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** A client of the driver, created on demand and recreated when it falls silent: the driver would keep a half-open connection. */
export class LastingClient<C extends Client> {
  private client: Promise<C> | undefined;

  constructor(
    private readonly make: () => C,
    private readonly pace: Clock,
  ) {}

  /** Settles as the work does, or rejects after five seconds. */
  async use<T>(work: (client: C) => Promise<T>): Promise<T> {
    const client = (this.client ??= this.connected());
    try {
      return await inTime(this.pace, TIMES.sendWithinMs, client.then(work), () => {
        throw new DeadlineMissed(`no answer within ${TIMES.sendWithinMs} ms`);
      });
    } catch (error) {
      // Of several unanswered uses only the first ends the client.
      if (error instanceof DeadlineMissed && this.client === client) void this.drop(client);
      throw error;
    }
  }

  /** Ends the client, waiting two seconds at most; another use creates a new one. */
  close(): Promise<void> {
    return this.client ? this.drop(this.client) : Promise.resolve();
  }

  private connected(): Promise<C> {
    const client = this.make();
    const connecting: Promise<C> = client.connect().then(
      () => client,
      (error: unknown) => {
        // Another may have replaced it meanwhile.
        if (this.client === connecting) this.client = undefined;
        void client.disconnect().catch(() => undefined);
        throw error;
      },
    );
    return connecting;
  }

  private drop(client: Promise<C>): Promise<void> {
    this.client = undefined;
    const disconnected = client.then((connected) => connected.disconnect());
    return inTime(this.pace, TIMES.leavesWithinMs, disconnected).catch(() => undefined);
  }
}
