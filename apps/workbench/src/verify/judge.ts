import type { Position, Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import { canonical, differingMembers, membersOf } from './compare.js';

/** A row as an event left it. */
export interface Step {
  readonly record: Recorded;
  readonly row: StoredRow;
}

interface Culprit {
  readonly position: Position;
  readonly type: string;
  readonly at: string;
}

export interface Difference {
  readonly kind: 'missing' | 'surplus' | 'differs';
  readonly members: Readonly<Record<string, { readonly expected: unknown; readonly stored: unknown }>>;
  readonly culprit: Culprit | 'no_event';
}

/**
 * Judges a stored row by the whole history of the row. `upTo`: every event up to there must be in the stored row. Null where it is as the
 * events up to its own position made it, and lacks none.
 */
export function judge(history: readonly Step[], stored: StoredRow | null, upTo: Position): Difference | null {
  const until = stored && stored.position > upTo ? stored.position : upTo;
  const steps = history.filter(({ record }) => record.position <= until);
  const expected = steps.at(-1)?.row ?? null;
  const names = differingMembers(expected, stored);
  const lacksLast = stored !== null && expected !== null && stored.position < expected.position;
  if (names.length === 0 && !lacksLast) return null;
  const [one, other] = [membersOf(expected), membersOf(stored)];
  const members = Object.fromEntries(
    names.map((name) => [name, { expected: one[name] ?? null, stored: other[name] ?? null }] as const),
  );
  return { kind: kindOf(expected, stored), members, culprit: culpritOf(steps, stored, names) };
}

function kindOf(expected: StoredRow | null, stored: StoredRow | null): Difference['kind'] {
  if (!stored) return 'missing';
  return expected ? 'differs' : 'surplus';
}

/** The first event that the row lacks; else the last that changed its first differing member, if any event made the stored value. */
function culpritOf(steps: readonly Step[], stored: StoredRow | null, names: readonly string[]): Difference['culprit'] {
  const lacking = steps[lastIncluded(steps, stored) + 1];
  if (lacking && (stored === null || lastIncluded(steps, stored) >= 0)) return told(lacking);
  const [name] = names;
  if (name === undefined) return 'no_event';
  const values = steps.map(({ row }) => canonical(membersOf(row)[name]));
  if (!values.includes(canonical(membersOf(stored)[name]))) return 'no_event';
  const last = steps.findLast((_, index) => index === 0 || values[index] !== values[index - 1]);
  return last ? told(last) : 'no_event';
}

/** The step that left the row as it is stored: the one of its position, or the latest. -1 if none did. */
function lastIncluded(steps: readonly Step[], stored: StoredRow | null): number {
  const isSame = ({ row }: Step) => differingMembers(row, stored).length === 0;
  const own = steps.findLastIndex(({ record }) => stored !== null && record.position <= stored.position);
  const step = steps[own];
  return step && isSame(step) ? own : steps.findLastIndex(isSame);
}

function told({ record: { position, event } }: Step): Culprit {
  return { position, type: event.type, at: new Date(event.at).toISOString() };
}
