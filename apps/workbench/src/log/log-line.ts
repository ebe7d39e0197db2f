import type { Envelope } from '@domain/kernel/envelope';
import type { Position, Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';

/** An event as the admin API tells it, too. */
export interface LogLine {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly category: string;
  readonly type: string;
  readonly at: string;
  readonly data: object;
  readonly envelope: Envelope | null;
}

export function toLogLine({ position, stream, revision, event, metadata }: Recorded): LogLine {
  const { type, at, ...data } = event;
  const category = streamCategory(stream);
  return { position, stream, revision, category, type, at: new Date(at).toISOString(), data, envelope: metadata ?? null };
}
