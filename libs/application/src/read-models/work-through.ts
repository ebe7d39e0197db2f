import type { DueKey, ReadModels } from '@ports/read-models.port';
import { duePage } from './due-page.js';

/** After so many failures the store is the cause, not the items. */
const MAX_FAILURES = 100;
const PAGE = 100;

export interface Due<Item> {
  readonly items: readonly Item[];
  readonly next: DueKey | null;
}

/** Each page runs concurrently. Failures delay no other item and are returned; the next sweep finds those items again. */
export async function workThrough<Item>(
  pageOf: (after: DueKey | null) => Promise<Due<Item>>,
  work: (item: Item) => Promise<unknown>,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const failures: unknown[] = [];
  let after: DueKey | null = null;
  do {
    const { items, next }: Due<Item> = await pageOf(after);
    if (signal.aborted) break;
    const outcomes = await Promise.allSettled(items.map(work));
    failures.push(...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : [])));
    after = next;
  } while (after && failures.length < MAX_FAILURES);
  return failures;
}

export function dueIds(
  readModels: ReadModels,
  [collection, field]: readonly [collection: string, field: string],
  upTo: number,
): (after: DueKey | null) => Promise<Due<string>> {
  return async (after) => {
    const { rows, next } = await duePage<Record<string, unknown>>(readModels, [collection, field], upTo, PAGE, after);
    return { items: rows.map(({ id }) => id), next };
  };
}
