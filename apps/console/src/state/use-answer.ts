import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../api/problem.js';

export interface Answer<Data> {
  /** The last successful answer; undefined before the first. */
  readonly data: Data | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface Known<Data> {
  readonly data: Data | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

/** Asks when the component appears and whenever a key changes. An answer to other keys, or older than the one shown, is dropped. */
export function useAnswer<Data>(ask: () => Promise<Data>, keys: readonly unknown[]): Answer<Data> {
  const [known, setKnown] = useState<Known<Data>>({ data: undefined, problem: null, isLoading: true });
  const asked = useRef(0);
  const shown = useRef(0);
  const load = useCallback(() => {
    const mine = ++asked.current;
    const settle = (next: (before: Known<Data>) => Omit<Known<Data>, 'isLoading'>) => {
      if (mine <= shown.current) return;
      shown.current = mine;
      setKnown((before) => ({ ...next(before), isLoading: mine < asked.current }));
    };
    setKnown((before) => ({ ...before, isLoading: true }));
    ask().then(
      (data) => settle(() => ({ data, problem: null })),
      (failure: unknown) => settle(({ data }) => ({ data, problem: asProblem(failure) })),
    );
  }, keys);
  useEffect(() => {
    load();
    return () => void (shown.current = asked.current);
  }, [load]);
  return { ...known, reload: load };
}

export function asProblem(failure: unknown): Problem {
  return failure instanceof Problem ? failure : new Problem('console_error', String(failure), null, 0);
}
