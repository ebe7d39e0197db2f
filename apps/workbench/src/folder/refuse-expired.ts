import type { Projection } from '@application/read-models/projection';
import type { AsOf } from '../as-of.js';
import type { EventLog } from '../log/event-log.js';
import { WrongWords } from '../wrong-words.js';

/** What an event was sent to is kept for thirty days, and dropped within another. */
const KEPT_MS = 31 * 86_400_000;
const DROPPED = 'deliveries';

/** Rows that are made of deliveries cannot be folded as of an instant of which deliveries have been dropped. */
export async function refuseExpired({ schema, categories }: Projection, asOf: AsOf, log: EventLog, now: number): Promise<void> {
  if (!categories.includes(DROPPED)) return;
  const at = 'at' in asOf ? asOf.at : await timeAfter(asOf.position, log);
  if (at !== null && at < now - KEPT_MS)
    throw new WrongWords(`${schema.name} are not as they were more than 31 days ago: what they were made of has been dropped.`);
}

/** The time of the first event after a position; null at the end of the log. Rejects with `WrongWords` for no position. */
async function timeAfter(position: string, log: EventLog): Promise<number | null> {
  const end = new AbortController();
  try {
    for await (const { events } of log.subscribe(position, { atOnce: 1, signal: end.signal })) {
      const [first] = events;
      if (first) return first.event.at;
    }
    return null;
  } finally {
    end.abort();
  }
}
