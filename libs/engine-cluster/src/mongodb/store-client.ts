import type { Logger } from '@nestjs/common';
import { pause, type Clock } from '@ports/clock.port';
import { EngineNotOpened } from '@ports/engine.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import { type Collection, type Document, MongoClient, type MongoClientOptions, type OperationOptions } from 'mongodb';
import type { ClusterSettings } from '../cluster-settings.js';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { shortName } from '../short-name.js';
import { TroubleLogger } from '../trouble-logger.js';
import { DriverWatchdog } from './driver-watchdog.js';
import { asStoreFailure } from './store-failures.js';

const { mongoDb } = ENGINE_CONSTANTS;

export type MongoDbSettings = Pick<ClusterSettings, 'mongodbUrl' | 'writeConcern' | 'prefix'>;

/** The server ends a read that takes longer. */
export const READ = { maxTimeMS: mongoDb.queryTimeoutMs } as const;

/**
 * An option of every call, even if its type does not list it. If a connection ends while a command is written to it, the driver waits for
 * ever: only this signal ends the call and frees its place in the pool.
 */
export interface Deadline extends OperationOptions {
  readonly signal: AbortSignal;
}

export class StoreClient {
  /** Whether the driver saw a primary, at most two seconds ago. */
  isReachable = false;
  /** Whether the latest write was refused, as on a full disk. Writes are frequent, so it is soon up to date. */
  private refusesWrites = false;
  /** How often a primary was found after there was none. */
  private found = 0;
  /** Called when the server is gone. When it returns, acknowledged writes may be lost. */
  lost = (): void => {};
  private readonly watchdog: DriverWatchdog;
  private readonly closing = new AbortController();

  constructor(
    private readonly client: MongoClient,
    private readonly prefix: string,
    private readonly clock: Clock,
    log: Pick<Logger, 'warn'>,
    private readonly troubles = new TroubleLogger('MongoDB', log, clock),
  ) {
    this.watchdog = new DriverWatchdog(client, clock, log, () => this.answers());
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      const wasReachable = this.isReachable;
      this.isReachable = [...newDescription.servers.values()].some(({ isWritable }) => isWritable);
      if (!this.isReachable) this.lost();
      else if (!wasReachable) {
        this.found += 1;
        this.refusesWrites = false;
      }
    });
  }

  collection<Shape extends Document>(name: string): Collection<Shape> {
    return this.client.db().collection<Shape>(`${this.prefix}${name}`);
  }

  async collectionsFrom(beginning: string): Promise<readonly string[]> {
    const found = await this.ask((deadline) =>
      this.client
        .db()
        .listCollections({}, { nameOnly: true, ...deadline })
        .toArray(),
    );
    const names = found.filter(({ name }) => name.startsWith(this.prefix)).map(({ name }) => name.slice(this.prefix.length));
    return names.filter((name) => name.startsWith(beginning));
  }

  /** Runs `work` under one deadline. Rejects with `StoreUnavailable` if the store is at fault; a write may have been stored. */
  async ask<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const { callWithinMs } = mongoDb;
    const cancel = this.clock.after(callWithinMs, () => {
      late.abort(new StoreUnavailable(`MongoDB does not answer a call within ${callWithinMs} ms`, true));
    });
    try {
      return await work({ signal: late.signal });
    } catch (error) {
      const failure = asStoreFailure(error);
      if (failure instanceof StoreUnavailable) this.troubles.tell(failure.message);
      throw failure;
    } finally {
      cancel();
    }
  }

  /** As `ask`, for a write, whose outcome counts for `isWell`. */
  async write<T>(work: (deadline: Deadline) => Promise<T>): Promise<T> {
    const { found } = this;
    try {
      const written = await this.ask(work);
      this.refusesWrites = false;
      return written;
    } catch (error) {
      // A write begun before the server returned fails because of the past outage.
      if (error instanceof StoreUnavailable && found === this.found) this.refusesWrites = true;
      throw error;
    }
  }

  get isWell(): boolean {
    return this.isReachable && !this.refusesWrites;
  }

  async isPrimary(): Promise<boolean> {
    // The driver gives up for good if its first connection fails, unless told to reconnect.
    await this.client.connect();
    const { isWritablePrimary } = await this.ask((deadline) => this.client.db().command({ hello: 1 }, deadline));
    return isWritablePrimary === true;
  }

  /** From now on outages are logged, and a driver that stops monitoring is reconnected. */
  watch(): void {
    void this.watchdog.watch();
    void this.logOutages();
  }

  private async logOutages(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      if (this.isWell) this.troubles.served();
      else this.troubles.failed(this.isReachable ? 'does not store writes' : 'does not answer');
      await pause(this.clock, mongoDb.heartbeatMs, signal);
    }
  }

  /** With the driver's own time-out, since it is the driver that is tested. */
  private answers(): Promise<boolean> {
    const asked = this.client.db().command({ ping: 1 }, { timeoutMS: mongoDb.callWithinMs });
    return asked.then(
      () => true,
      () => false,
    );
  }

  close(): Promise<void> {
    this.closing.abort();
    this.watchdog.stop();
    this.isReachable = false;
    return this.client.close();
  }
}

/** Waits for a primary; rejects with `EngineNotOpened` if none comes in time, or the settings lead nowhere. */
export async function connected(
  settings: MongoDbSettings,
  clock: Clock,
  log: Logger,
  prepare: (client: StoreClient) => Promise<void>,
): Promise<StoreClient> {
  const troubles = new TroubleLogger(`MongoDB ${withoutSecrets(settings.mongodbUrl)}`, log, clock);
  const client = made(settings, clock, log, troubles);
  const giveUpAt = clock.elapsed() + mongoDb.bootPatienceMs;
  for (;;) {
    try {
      if (!(await client.isPrimary())) throw new NotPrimary();
      await prepare(client);
      client.watch();
      return client;
    } catch (error) {
      troubles.failed(`is not ready: ${shortName(error)}`);
      if (clock.elapsed() < giveUpAt) {
        await pause(clock, mongoDb.bootRetryMs);
        continue;
      }
      await client.close().catch(() => undefined);
      throw notOpened(settings, error);
    }
  }
}

class NotPrimary extends Error {
  override readonly name = 'NotPrimary';
  override readonly message = 'the server is not primary';
}

function made(settings: MongoDbSettings, clock: Clock, log: Logger, troubles: TroubleLogger): StoreClient {
  try {
    const client = new MongoClient(settings.mongodbUrl, optionsOf(settings));
    return new StoreClient(client, settings.prefix, clock, log, troubles);
  } catch (error) {
    throw notOpened(settings, error);
  }
}

function notOpened({ mongodbUrl }: MongoDbSettings, error: unknown): EngineNotOpened {
  const shown = withoutSecrets(mongodbUrl);
  return new EngineNotOpened(`MONGODB_URL ${shown}: ${failureReason(error).replaceAll(mongodbUrl, shown)}`);
}

function optionsOf({ writeConcern }: MongoDbSettings): MongoClientOptions {
  return {
    serverSelectionTimeoutMS: mongoDb.serverSelectionTimeoutMs,
    waitQueueTimeoutMS: mongoDb.waitQueueTimeoutMs,
    socketTimeoutMS: mongoDb.socketTimeoutMs,
    connectTimeoutMS: mongoDb.connectTimeoutMs,
    // A failed heartbeat ends calls that wait for a silent server.
    heartbeatFrequencyMS: mongoDb.heartbeatMs,
    maxPoolSize: mongoDb.poolSize,
    writeConcern: { w: writeConcern, journal: true, wtimeoutMS: mongoDb.writeTimeoutMs },
    readPreference: 'primary',
    ignoreUndefined: true,
  };
}

function withoutSecrets(url: string): string {
  const [, scheme, address] = /^(mongodb(?:\+srv)?:\/\/)(.*)$/s.exec(url) ?? [];
  if (scheme === undefined || address === undefined) return 'is no mongodb:// address';
  const [hosts = ''] = address.slice(address.lastIndexOf('@') + 1).split('?', 1);
  return scheme + hosts;
}
