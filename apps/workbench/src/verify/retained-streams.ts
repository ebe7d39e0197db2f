import { auditStream } from '@application/audit/audit-entries.projection';
import type { Projection } from '@application/read-models/projection';
import type { StoredRow } from '@ports/read-models.port';
import { streamCategory } from '@ports/stream-category';

/** Streams of these categories are dropped when their time is over. */
const RETAINED = ['audit', 'deliveries', 'task'];
const LEAST_KEPT_MS = 30 * 86_400_000;

export function isRetained({ categories }: Projection): boolean {
  return categories.some((category) => RETAINED.includes(category));
}

/** The streams of a row that may have been dropped. */
export function retainedStreams(projection: Projection, stored: StoredRow): readonly string[] {
  return streamsOf(projection, stored).filter((stream) => RETAINED.includes(streamCategory(stream)));
}

/** Whether a row whose stream is not in the log may be one whose stream was dropped. */
export function isOver({ deleted, createdAt }: StoredRow, now: number): boolean {
  return deleted || createdAt < now - LEAST_KEPT_MS;
}

/** None of a row that lacks the members which tell. */
function streamsOf({ streamsOf: named, categories }: Projection, { id, row, createdAt }: StoredRow): readonly string[] {
  if (!named) return categories.includes('audit') ? [auditStream(createdAt)] : [];
  try {
    return named(row, id);
  } catch {
    return [];
  }
}
