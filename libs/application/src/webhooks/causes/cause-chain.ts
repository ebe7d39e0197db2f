import type { EventStore, Recorded } from '@ports/event-store.port';
import type { CauseChain } from './cause.queries.js';

const MAX_EVENTS = 20;
/** How far back in its own stream the cause of an event is looked for. */
const MAX_EARLIER = 200;
const OF_EVENT = /^(.+)@(\d+)$/;

/** Follows the causes of an event back, 20 events at most. Ends where an event is gone, or of a version that stored no causes. */
export async function causeChainOf(store: EventStore, event: Recorded): Promise<CauseChain> {
  const events: Recorded[] = [];
  let next: Recorded | undefined = event;
  while (next && events.length < MAX_EVENTS) {
    events.push(next);
    const cause: string | undefined = next.metadata?.$causationId;
    if (cause !== undefined && !OF_EVENT.test(cause)) return { events, beginning: cause };
    next = await (cause === undefined ? earlierOf(store, next) : eventAt(store, cause));
  }
  return { events, beginning: null };
}

async function eventAt(store: EventStore, cause: string): Promise<Recorded | undefined> {
  const [, stream = '', revision] = OF_EVENT.exec(cause) ?? [];
  return (await store.read(stream, { from: Number(revision), limit: 1 }))[0];
}

/** Without a causation id the cause is the stream's previous event of the same correlation. */
async function earlierOf(store: EventStore, { stream, revision, metadata }: Recorded): Promise<Recorded | undefined> {
  if (!metadata || revision === 0) return undefined;
  const earlier = await store.read(stream, { from: revision - 1, direction: 'backwards', limit: MAX_EARLIER });
  return earlier.find((each) => each.metadata?.$correlationId === metadata.$correlationId);
}
