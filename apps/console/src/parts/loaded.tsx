import type { ComponentChildren } from 'preact';
import type { Answer } from '../state/use-answer.js';
import { TEXTS } from '../texts.js';
import { ProblemNote } from './problem-note.js';

interface LoadedProps<Data> {
  readonly of: Answer<Data>;
  readonly children: (data: Data) => ComponentChildren;
}

/** What was asked for, or why it is not there. */
export function Loaded<Data>({ of: { data, problem, reload }, children }: LoadedProps<Data>) {
  return (
    <>
      <ProblemNote problem={problem} onRetry={reload} />
      {data === undefined && !problem && <p role="status">{TEXTS.list.loading}</p>}
      {data !== undefined && children(data)}
    </>
  );
}
