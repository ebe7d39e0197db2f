import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { ProjectedRow, SharedChange } from '../../read-models/projection.js';

/** The unfinished deliveries of an endpoint or a project. */
export interface OpenRow {
  /** How many, by the number of their attempts that are over. */
  readonly byAttempts: readonly number[];
}

/** A delivery that is no longer among those with `from` attempts, and now among those with `to`; null where it is not open. */
interface OpenMove {
  readonly from: number | null;
  readonly to: number | null;
}

export function openRowId(owner: string): string {
  return `${owner}/open`;
}

/** Null for an event after which the delivery is as open as before. `attemptsOver` counts where an event that finishes it has no result. */
export function openMove(event: DeliveryEvent, attemptsOver: number): OpenMove | null {
  if (event.type === 'DeliveryScheduled') return { from: null, to: 0 };
  if (!('result' in event)) return null;
  const from = event.result ? event.result.attempt - 1 : attemptsOver;
  return { from, to: event.type === 'DeliveryRetryScheduled' ? event.result.attempt : null };
}

export function openChange(owner: string, projectId: string, at: number, { from, to }: OpenMove): SharedChange {
  const project = (before: ProjectedRow<object> | null): ProjectedRow<OpenRow> => {
    const { byAttempts = [] } = (before?.row ?? {}) as Partial<OpenRow>;
    const row = { byAttempts: withMore(withMore(byAttempts, from, -1), to, 1) };
    return { projectId, createdAt: at, deleted: false, row };
  };
  return { id: openRowId(owner), project };
}

export function openIn(row: OpenRow | null): number {
  return (row?.byAttempts ?? []).reduce((sum, count) => sum + count, 0);
}

function withMore(counts: readonly number[], place: number | null, more: number): readonly number[] {
  if (place === null) return counts;
  const length = Math.max(counts.length, place + 1);
  return Array.from({ length }, (_, index) => (counts[index] ?? 0) + (index === place ? more : 0));
}
