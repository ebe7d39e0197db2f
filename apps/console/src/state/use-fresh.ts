import { useEffect, useRef } from 'preact/hooks';
import { useChanges, type Change } from './changes.js';

const SOON_MS = 500;
const anyChange = () => true;

/** For what costs more to read, or changes with every delivery. */
export const SELDOM_MS = 2_000;

/** Reloads soon after a change of these kinds of resources; several changes within this time reload once. */
export function useFresh(
  objects: readonly string[],
  reload: () => void,
  isMine: (change: Change) => boolean = anyChange,
  afterMs = SOON_MS,
): void {
  const latest = useRef(reload);
  latest.current = reload;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useChanges(objects, (change) => {
    if (timer.current !== undefined || (change !== null && !isMine(change))) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, afterMs);
  });
}
