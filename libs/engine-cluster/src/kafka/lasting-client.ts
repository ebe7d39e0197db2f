import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const TIMES = ENGINE_CONSTANTS.kafka;

/** The work did not settle in time. It may still go on. */
export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

interface Client {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** A client of the driver that is made when it is needed, and anew when it fell silent: the driver keeps a half-open connection. */
export class LastingClient<C extends Client> {
  private client: Promise<C> | undefined;

  constructor(
    private readonly make: () => C,
    private readonly pace: Clock,
  ) {}

  /** Resolves or rejects as the work does, and rejects after five seconds. */
  async use<T>(work: (client: C) => Promise<T>): Promise<T> {
    const client = (this.client ??= this.connected());
    try {
      return await inTime(this.pace, TIMES.sendWithinMs, client.then(work), () => {
        throw new DeadlineMissed(`no answer within ${TIMES.sendWithinMs} ms`);
      });
    } catch (error) {
      // Only the first of several uses without an answer ends the client.
      if (error instanceof DeadlineMissed && this.client === client) void this.drop(client);
      throw error;
    }
  }

  /** Ends the client, within two seconds as far as this waits; another use makes a new one. */
  close(): Promise<void> {
    return this.client ? this.drop(this.client) : Promise.resolve();
  }

  private connected(): Promise<C> {
    const client = this.make();
    const connecting: Promise<C> = client.connect().then(
      () => client,
      (error: unknown) => {
        // Another one may have taken its place meanwhile.
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
