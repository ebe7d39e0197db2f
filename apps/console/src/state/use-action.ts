import { useState } from 'preact/hooks';
import type { Problem } from '../api/problem.js';
import { asProblem } from './use-answer.js';

export interface Action {
  /** Runs one thing at a time; its refusal is `problem`. */
  readonly run: (work: () => Promise<void>) => void;
  readonly isRunning: boolean;
  readonly problem: Problem | null;
}

/** A thing that a person starts: a button, a form. */
export function useAction(): Action {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = (work: () => Promise<void>) => {
    if (isRunning) return;
    setRunning(true);
    setProblem(null);
    work()
      .catch((failure: unknown) => setProblem(asProblem(failure)))
      .finally(() => setRunning(false));
  };
  return { run, isRunning, problem };
}
