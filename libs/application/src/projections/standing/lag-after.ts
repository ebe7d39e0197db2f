import type { Clock } from '@ports/clock.port';
import type { EventStore, Position } from '@ports/event-store.port';

interface Log {
  readonly store: EventStore;
  readonly clock: Clock;
}

/** The age of the first event after the checkpoint, in milliseconds; 0 where there is none up to the head. */
export async function lagAfter({ store, clock }: Log, checkpoint: Position, head: Position): Promise<number> {
  if (checkpoint >= head) return 0;
  // Each call has a signal of its own: Node warns about more than ten listeners on one.
  const { signal } = new AbortController();
  for await (const { events, upTo } of store.subscribe(checkpoint, { signal, atOnce: 1 })) {
    const [first] = events;
    if (first) return Math.max(0, clock.now() - first.event.at);
    if (upTo >= head) break;
  }
  return 0;
}
