import { SKEW_MS } from '@domain/kernel/skew';
import { type Clock, pause } from '@ports/clock.port';
import { EngineNotOpened } from '@ports/engine.port';
import { failureReason } from '@ports/failure';
import type { ClusterSettings } from '../cluster-settings.js';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import { TroubleLogger } from '../trouble-logger.js';
import { LogSubscription } from './log-subscription.js';
import { Connection } from './connection.js';
import { ConnectionString } from './connection-string.js';
import { EventstoredbEventStore } from './event-store.eventstoredb.js';
import { failureMeaning } from './failure-meaning.js';
import { logName } from './log-name.js';
import { LogPages } from './log-pages.js';
import { LogTail, type OpenedLog } from './log-tail.js';
import { failureText } from './failure-text.js';

const { deadlineMs, openWithinMs } = ENGINE_CONSTANTS.eventStoreDb;
const ASKED_EVERY_MS = 250;
const CLOCKS_MATTER = `leases and expiries are counted by clocks that differ by ${SKEW_MS} ms at most`;

const MADE_ANEW = 'caches are dropped, and rows ahead of the log are rebuilt';

export interface EngineLog {
  warn(message: string): void;
}

export interface OpenEventStoreDb {
  readonly store: EventstoredbEventStore;
  health(): boolean;
  close(): Promise<void>;
}

/** Waits half a minute for a server that is starting; rejects with `EngineNotOpened` if it stays away, refuses, or is too old. */
export async function openEventStoreDb(
  { eventStoreUrl, prefix }: Pick<ClusterSettings, 'eventStoreUrl' | 'prefix'>,
  clock: Clock,
  log?: EngineLog,
): Promise<OpenEventStoreDb> {
  const url = new ConnectionString(eventStoreUrl);
  if (url.isExposed) log?.warn(`EVENTSTORE_URL: ${url.shown} has tls=false: events and passwords travel unencrypted`);
  const connection = connect(url, clock);
  const pages = new LogPages(connection, clock, prefix);
  const find = async (needs: (right: string) => void): Promise<OpenedLog> => {
    needs('read and append to streams');
    const named = await logName(connection, prefix, deadlineMs);
    needs('read $all');
    return { ...named, end: await pages.end() };
  };
  const found = await whenReady(url, clock, find);
  return assemble({ url, connection, pages, clock, prefix, found, find: () => find(() => undefined), lines: log });
}

interface Opened {
  readonly url: ConnectionString;
  readonly connection: Connection;
  readonly pages: LogPages;
  readonly clock: Clock;
  readonly prefix: string;
  readonly found: OpenedLog;
  readonly find: () => Promise<OpenedLog>;
  readonly lines: EngineLog | undefined;
}

function assemble(opened: Opened): OpenEventStoreDb {
  const { url, connection, pages, clock, prefix, found, find } = opened;
  const troubles = new TroubleLogger(`EventStoreDB ${url.shown}`, opened.lines, clock);
  const listener = {
    ...linesOf(opened, troubles),
    onMissed: () => subscription.renew(),
    onReplaced: (log: OpenedLog, isOlderCopy: boolean) => {
      tellReplaced(opened, isOlderCopy);
      store.replaced(log);
    },
  };
  const tail = new LogTail(pages, clock, found, find, listener);
  const subscription = new LogSubscription(connection, clock, (event) => (event ? tail.bring(event) : tail.lookNow()));
  const store = new EventstoredbEventStore({ connection, pages, clock, prefix, log: found, tail, troubles });
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

function linesOf({ url, lines }: Opened, troubles: TroubleLogger) {
  return {
    onLook(isWell: boolean, failure?: unknown): void {
      if (isWell) troubles.served();
      else troubles.failed(failureText(failure, url.credentials.username, 'read $all'));
    },
    onSkew(aheadMs: number): void {
      const where = aheadMs > 0 ? 'ahead of' : 'behind';
      lines?.warn(`the clock of EventStoreDB ${url.shown} is ${Math.abs(aheadMs)} ms ${where} this machine's: ${CLOCKS_MATTER}`);
    },
  };
}

function tellReplaced({ url, lines }: Opened, isOlderCopy: boolean): void {
  const what = isOlderCopy ? 'is an older copy than was read before' : 'is another one than was read before';
  lines?.warn(`the log on EventStoreDB ${url.shown} ${what}: ${MADE_ANEW}`);
}

function connect(url: ConnectionString, clock: Clock): Connection {
  try {
    return new Connection(url, clock);
  } catch {
    // The driver's message may quote the password.
    throw new EngineNotOpened(`EVENTSTORE_URL: ${url.shown} is not a connection string that the driver accepts`);
  }
}

/** Retries until the server answers. `ask` sets the permission that each of its calls needs. */
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
        throw notOpened(` ${failureText(error, url.credentials.username, needed, failureReason(error))}`);
      await pause(clock, ASKED_EVERY_MS);
    }
  }
}
