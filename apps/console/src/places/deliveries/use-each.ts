import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.js';
import { asProblem } from '../../state/use-answer.js';

export interface Each {
  readonly start: (ids: readonly string[], act: (id: string) => Promise<unknown>) => void;
  readonly stop: () => void;
  readonly isRunning: boolean;
  readonly total: number;
  readonly done: number;
  readonly refused: number;
  /** The first refusal. */
  readonly problem: Problem | null;
}

const NOTHING = { isRunning: false, total: 0, done: 0, refused: 0, problem: null as Problem | null };

/** Does the same to each of several things, one after another; a refusal is counted and the next one is done. */
export function useEach(): Each {
  const [state, setState] = useState(NOTHING);
  const running = useRef(0);
  const stop = () => {
    running.current++;
    setState((before) => ({ ...before, isRunning: false }));
  };
  useEffect(() => () => void running.current++, []);
  const start: Each['start'] = (ids, act) => {
    const mine = ++running.current;
    setState({ ...NOTHING, isRunning: true, total: ids.length });
    void (async () => {
      for (const id of ids) {
        const problem = await act(id).then(() => null, asProblem);
        if (mine !== running.current) return;
        setState((before) => ({
          ...before,
          done: before.done + (problem ? 0 : 1),
          refused: before.refused + (problem ? 1 : 0),
          problem: before.problem ?? problem,
        }));
      }
      setState((before) => ({ ...before, isRunning: false }));
    })();
  };
  return { ...state, start, stop };
}
