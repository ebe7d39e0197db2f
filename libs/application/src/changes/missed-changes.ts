import { pause, type Clock } from '@ports/clock.port';
import { isRetryableStoreError, type EventStore, type FeedBatch, type Position } from '@ports/event-store.port';
import { SHOWN_CATEGORIES } from './changed-resources.js';
import { PendingChanges, type Change, type ChangeBatch } from './pending-changes.js';

/** About as many as an engine has in memory: beyond, reading the lists again costs less. */
const MAX_EVENTS_READ = 8_192;
const READ_WITHIN_MS = 5_000;
const POSITION = /^\d{20}$/;

interface Joining {
  /** Up to where the process has followed the log. */
  until(): Position;
  changesIn(batch: FeedBatch): Promise<readonly Change[]>;
  /** Begins to listen; returns the position up to which changes were announced. */
  join(): Position;
  readonly clock: Clock;
}

interface Missed {
  readonly from: Position;
  readonly missed: ChangeBatch;
}

/**
 * Reads the changes after a position until the followed log is reached, and joins it there in the same turn of the event loop, so that
 * no change is announced twice or never. Joins without them where they are too many, or the log does not hold the position.
 */
export async function missedChanges(store: EventStore, since: Position, joining: Joining): Promise<Missed> {
  if (!POSITION.test(since) || !(await store.holds(since))) return { from: joining.join(), missed: null };
  if (since >= joining.until()) return caughtUp(joining, since, new PendingChanges());
  const end = new AbortController();
  void pause(joining.clock, READ_WITHIN_MS, end.signal).then(() => end.abort());
  try {
    return (await readOn(store, since, joining, end.signal)) ?? { from: joining.join(), missed: null };
  } catch (error) {
    // Another log took the place of this one: the position means nothing there.
    if (isRetryableStoreError(error)) throw error;
    return { from: joining.join(), missed: null };
  } finally {
    end.abort();
  }
}

async function readOn(store: EventStore, since: Position, joining: Joining, signal: AbortSignal): Promise<Missed | null> {
  const found = new PendingChanges();
  let read = 0;
  for await (const batch of store.subscribe(since, { categories: SHOWN_CATEGORIES, signal })) {
    const changes = await joining.changesIn(batch);
    for (const change of changes) found.add(change);
    if (batch.upTo >= joining.until()) return caughtUp(joining, since, found);
    read += batch.events.length;
    if (read > MAX_EVENTS_READ) return null;
  }
  return null;
}

function caughtUp({ join }: Joining, since: Position, found: PendingChanges): Missed {
  const told = join();
  const [[, batch] = ['', []]] = found.take();
  const missed = batch && batch.filter(({ position }) => position <= told);
  // Another process may have announced later changes to the client than this one has read.
  return { from: told > since ? told : since, missed };
}
