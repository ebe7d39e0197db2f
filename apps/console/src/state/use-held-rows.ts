import { useEffect, useRef, useState } from 'preact/hooks';
import { useChanges, type Change } from './changes.js';
import type { Answer } from './use-answer.js';

interface Row {
  readonly id: string;
}

interface HeldOptions {
  /** Kinds of resources whose changes are of these rows. */
  readonly live?: readonly string[];
  readonly isOldestFirst?: boolean;
}

interface HeldRows<Item> {
  readonly rows: readonly Item[];
  /** How many changes are not shown. */
  readonly announced: number;
  /** Shows them. */
  readonly show: () => void;
}

/** The rows of a page, held while others come: those that changed are shown anew where they are, new ones only counted. */
export function useHeldRows<Item extends Row>(
  { data, isLoading, reload }: Answer<{ readonly data: readonly Item[] }>,
  keys: readonly unknown[],
  { live = [], isOldestFirst = false }: HeldOptions,
): HeldRows<Item> {
  const [changed, setChanged] = useState(0);
  const held = useRef<readonly Item[] | null>(null);
  const page = data?.data ?? [];
  const letGo = () => {
    held.current = null;
    setChanged(0);
  };
  useEffect(letGo, keys);
  const onChange = (change: Change | null) => {
    // While it loads, the rows may be those of other filters.
    if (!isLoading) held.current ??= data?.data ?? null;
    const isOn = (rows: readonly Item[]) => rows.some(({ id }) => id === change?.id);
    if (change === null || !held.current || (isOn(held.current) && isOn(page))) reload();
    else setChanged((count) => count + 1);
  };
  useChanges(live, onChange);
  const show = () => {
    letGo();
    reload();
  };
  if (!held.current) return { rows: page, announced: changed, show };
  const { rows, newer } = besideHeld(held.current, page, isOldestFirst);
  return { rows, announced: Math.max(changed, newer), show };
}

/**
 * The held rows as they are now, and how many newer ones there are. A held row that those pushed off the page stays as it was; one
 * that is gone from among the others no longer fits the filters.
 */
function besideHeld<Item extends Row>(held: readonly Item[], page: readonly Item[], isOldestFirst: boolean) {
  const isHeld = new Set(held.map(({ id }) => id));
  const now = new Map(page.map((item) => [item.id, item]));
  const last = held.findLastIndex(({ id }) => now.has(id));
  const rows = held.slice(0, last + 1).flatMap(({ id }) => now.get(id) ?? []);
  if (isOldestFirst) return { rows, newer: page.length - 1 - page.findLastIndex(({ id }) => isHeld.has(id)) };
  const first = page.findIndex(({ id }) => isHeld.has(id));
  const newer = first < 0 ? page.length : first;
  return { rows: [...rows, ...held.slice(Math.max(last + 1, held.length - newer))], newer };
}
