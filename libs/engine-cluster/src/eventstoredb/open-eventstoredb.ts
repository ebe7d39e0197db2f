import { SKEW_MS } from '@domain/kernel/skew';
import { type Clock, pause } from '@ports/clock.port';
import { EngineNotOpened } from '@ports/engine.port';
import type { Position } from '@ports/event-store.port';
import type { ClusterSettings } from '../cluster-settings.js';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { OutageLogger } from '../outage-logger.js';
import { LogSubscription } from './log-subscription.js';
import { Connection } from './connection.js';
import { ConnectionString } from './connection-string.js';
import { EventstoredbEventStore } from './event-store.eventstoredb.js';
import { failureMeaning } from './failure-meaning.js';
import { logName, type LogName } from './log-name.js';
import { LogPages } from './log-pages.js';
import { LogTail } from './log-tail.js';
import { toldFailure } from './told-failure.js';

const { deadlineMs, openWithinMs } = ENGINE_CONSTANTS.eventStoreDb;
const ASKED_EVERY_MS = 250;
const CLOCKS_MATTER = `leases and expiries are counted by clocks that differ by ${SKEW_MS} ms at most`;

/** Where the engine tells what an operator should know. */
export interface EngineLog {
  warn(message: string): void;
}

export interface OpenEventStoreDb {
  readonly store: EventstoredbEventStore;
  /** Whether the server answers at present. */
  health(): boolean;
  close(): Promise<void>;
}

/**
 * The log on the server that the settings name. Waits half a minute for a server that is being started; rejects with
 * `EngineNotOpened` where it stays away, refuses, or is too old.
 */
export async function openEventStoreDb(
  { eventStoreUrl, prefix }: Pick<ClusterSettings, 'eventStoreUrl' | 'prefix'>,
  clock: Clock,
  log?: EngineLog,
): Promise<OpenEventStoreDb> {
  const url = new ConnectionString(eventStoreUrl);
  if (url.isExposed) log?.warn(`EVENTSTORE_URL: ${url.shown} has tls=false: events and passwords travel unencrypted`);
  const connection = connect(url, clock);
  const pages = new LogPages(connection, clock, prefix);
  const { end, ...named } = await whenReady(url, clock, async (needs) => {
    needs('read and append to streams');
    const named = await logName(connection, prefix, deadlineMs);
    needs('read $all');
    return { ...named, end: await pages.end() };
  });
  return assemble({ url, connection, pages, clock, prefix, ...named, end, log });
}

interface Opened extends LogName {
  readonly url: ConnectionString;
  readonly connection: Connection;
  readonly pages: LogPages;
  readonly clock: Clock;
  readonly prefix: string;
  readonly end: Position;
  readonly log: EngineLog | undefined;
}

function assemble({ url, end, log, ...parts }: Opened): OpenEventStoreDb {
  const { connection, pages, clock } = parts;
  const outage = new OutageLogger(`EventStoreDB ${url.shown}`, log, clock);
  const tellLook = (isWell: boolean, failure?: unknown): void =>
    isWell ? outage.well() : outage.away(toldFailure(failure, url.credentials.username, 'read $all'));
  const tellSkew = (aheadMs: number): void => {
    const where = aheadMs > 0 ? 'ahead of' : 'behind';
    log?.warn(`the clock of EventStoreDB ${url.shown} is ${Math.abs(aheadMs)} ms ${where} this machine's: ${CLOCKS_MATTER}`);
  };
  const listener = { onMissed: () => subscription.renew(), onLook: tellLook, onSkew: tellSkew };
  const tail = new LogTail(pages, clock, end, listener);
  const subscription = new LogSubscription(connection, clock, () => tail.lookNow());
  const store = new EventstoredbEventStore({ ...parts, tail });
  const running = Promise.all([tail.run(), subscription.run()]);
  return {
    store,
    health: () => tail.reachesServer,
    close: async () => {
      store.close();
      tail.close();
      subscription.close();
      await running;
      await connection.close();
    },
  };
}

function connect(url: ConnectionString, clock: Clock): Connection {
  try {
    return new Connection(url, clock);
  } catch {
    // What the driver says may quote the password.
    throw new EngineNotOpened(`EVENTSTORE_URL: ${url.shown} is no connection string that the driver understands`);
  }
}

/** Asks until the server answers. `ask` says which right each of its calls needs. */
async function whenReady<T>(
  url: ConnectionString,
  clock: Clock,
  ask: (needs: (right: string) => void) => Promise<T>,
): Promise<T> {
  const giveUpAt = clock.elapsed() + openWithinMs;
  let needed = '';
  for (;;) {
    try {
      return await ask((right) => void (needed = right));
    } catch (error) {
      const notOpened = (what: string) => new EngineNotOpened(`EVENTSTORE_URL: ${url.shown}${what}`);
      if (error instanceof EngineNotOpened) throw notOpened(`: ${error.message}`);
      if (failureMeaning(error) === 'refused' || clock.elapsed() >= giveUpAt)
        throw notOpened(` ${toldFailure(error, url.credentials.username, needed)}`);
      await pause(clock, ASKED_EVERY_MS);
    }
  }
}
