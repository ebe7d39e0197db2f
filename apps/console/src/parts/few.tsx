import type { ComponentChildren } from 'preact';
import { useAnswer } from '../state/use-answer.js';
import { useFresh } from '../state/use-fresh.js';
import { TEXTS } from '../texts.js';
import { Curl, type ShownRequest } from './curl.js';
import { Rows, type Column, type Page } from './list.js';
import { ProblemNote } from './problem-note.js';

/** How many a `Few` asks for. */
export const FEW = 10;

interface FewProps<Item extends { readonly id: string }> {
  readonly caption: string;
  readonly ask: () => Promise<Page<Item>>;
  readonly keys: readonly unknown[];
  readonly columns: readonly Column<Item>[];
  readonly live: readonly string[];
  readonly empty: ComponentChildren;
  /** The address of the whole list. */
  readonly all: string;
  /** What asks the API for the same. */
  readonly request: ShownRequest;
}

/** The newest few of a list, with a link to all of it. */
export function Few<Item extends { readonly id: string }>(props: FewProps<Item>) {
  const { caption, ask, keys, columns, live, empty, all, request } = props;
  const { data, problem, reload } = useAnswer(ask, keys);
  useFresh(live, reload);
  return (
    <div class="stack tight list">
      <ProblemNote problem={problem} onRetry={reload} />
      {data?.data.length === 0 && <p class="muted">{empty}</p>}
      {data && data.data.length > 0 && <Rows caption={caption} columns={columns} items={data.data} />}
      {data?.has_more && <a href={all}>{TEXTS.all}</a>}
      <Curl request={request} />
    </div>
  );
}
