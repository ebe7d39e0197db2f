import type { Position } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';

/** `moved`: one of the two has not seen an event yet that the other has. */
export type Comparison = 'same' | 'missing' | 'surplus' | 'differs' | 'moved';

/** The position up to which both claim to include every event. */
export interface SeenUpTo {
  readonly stored: Position;
  readonly expected: Position;
}

/** Compares a row of the service with that of the workbench. */
export function compare(expected: StoredRow | null, stored: StoredRow | null, upTo: SeenUpTo): Comparison {
  if (!stored) return !expected ? 'same' : upTo.stored >= expected.sortId ? 'missing' : 'moved';
  if (!expected) return upTo.expected >= stored.position ? 'surplus' : 'moved';
  if (stored.position > expected.position) return 'moved';
  if (stored.position < expected.position) return upTo.stored >= expected.position ? 'differs' : 'moved';
  return differingMembers(expected, stored).length === 0 ? 'same' : 'differs';
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The names of the members that differ, those of the expected row first. A member that is not there counts as null. `text` is what lists
 * show: where one of two rows has none, it is made of the others when it is read.
 */
export function differingMembers(expected: StoredRow | null, stored: StoredRow | null): readonly string[] {
  const [one, other] = [membersOf(expected), membersOf(stored)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const hasTexts = expected?.text !== undefined && stored?.text !== undefined;
  if (!hasTexts) names.delete('text');
  return [...names].filter((name) => canonical(one[name]) !== canonical(other[name]));
}

/** Those of the row, and what is stored beside it. */
export function membersOf(stored: StoredRow | null): Members {
  if (!stored) return {};
  const { projectId, createdAt, deleted, row, text } = stored;
  return { projectId, createdAt, deleted, ...row, ...(text !== undefined && { text }) };
}

/** JSON in which the order of members does not matter. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}
