import type { Logger } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import type { MongoClient } from 'mongodb';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const { bootRetryMs, heartbeatMs, silentHeartbeats } = ENGINE_CONSTANTS.mongoDb;

/**
 * Reconnects the driver when it stops monitoring a server. Its monitor waits for ever after a write to an ending connection (as calls do,
 * see `Deadline`); the server would then count as gone until the process ends.
 */
export class DriverWatchdog {
  /** By server: the heartbeat intervals since one began or ended. */
  private readonly missed = new Map<string, number>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly client: MongoClient,
    private readonly clock: Clock,
    private readonly log: Pick<Logger, 'warn'>,
    /** Whether the server answers a call. If so, only the clock is ahead of the driver, as in tests. */
    private readonly answers: () => Promise<boolean>,
  ) {
    const seen = (address: string) => void this.missed.set(address, 0);
    client.on('serverOpening', ({ address }) => seen(address));
    client.on('serverHeartbeatStarted', ({ connectionId }) => seen(connectionId));
    client.on('serverHeartbeatSucceeded', ({ connectionId }) => seen(connectionId));
    client.on('serverHeartbeatFailed', ({ connectionId }) => seen(connectionId));
    client.on('serverClosed', ({ address }) => void this.missed.delete(address));
  }

  /** Watches until `stop`. Counts its own ticks, because a suspended process saw no heartbeats either. */
  async watch(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await pause(this.clock, heartbeatMs, signal);
      for (const [address, missed] of this.missed) this.missed.set(address, missed + 1);
      if (this.silent().length === 0 || (await this.answers())) continue;
      const silent = this.silent();
      if (silent.length === 0 || signal.aborted) continue;
      this.log.warn(`the driver no longer looks at ${silent.join(', ')} and is connected anew`);
      await this.connectAnew();
    }
  }

  private silent(): readonly string[] {
    return [...this.missed].filter(([, missed]) => missed > silentHeartbeats).map(([address]) => address);
  }

  stop(): void {
    this.stopping.abort();
  }

  private async connectAnew(): Promise<void> {
    await this.client.close().catch(() => undefined);
    while (!this.stopping.signal.aborted) {
      try {
        await this.client.connect();
        return;
      } catch {
        await pause(this.clock, bootRetryMs, this.stopping.signal);
      }
    }
  }
}
