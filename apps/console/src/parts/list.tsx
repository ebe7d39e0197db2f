import type { ComponentChildren } from 'preact';
import { useAnswer } from '../state/use-answer.js';
import { useHeldRows } from '../state/use-held-rows.js';
import { useView } from '../state/use-view.js';
import { TEXTS } from '../texts.js';
import { ProblemNote } from './problem-note.js';

/** The envelope of every list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
}

export interface Column<Item> {
  readonly label: string;
  readonly cell: (item: Item) => ComponentChildren;
  readonly isNumber?: boolean;
}

export interface PageQuery {
  readonly starting_after?: string;
  readonly ending_before?: string;
}

interface ListProps<Item extends { readonly id: string }> {
  readonly caption: string;
  /** Asks for a page; `keys` name what else the answer depends on, such as filters. */
  readonly ask: (page: PageQuery) => Promise<Page<Item>>;
  readonly keys: readonly unknown[];
  readonly columns: readonly Column<Item>[];
  /** Said instead of an empty table: what to do next. */
  readonly empty: ComponentChildren;
  /** Kinds of resources whose changes this list shows. */
  readonly live?: readonly string[];
  readonly isOldestFirst?: boolean;
  readonly picked?: ReadonlySet<string>;
  readonly onPick?: (id: string, isPicked: boolean) => void;
  /** What can be done with the rows that are shown. */
  readonly actions?: (shown: readonly string[]) => ComponentChildren;
}

/** A page of a list. Its place is in the address; rows that changed are shown anew where they are, new ones announced. */
export function List<Item extends { readonly id: string }>(props: ListProps<Item>) {
  const { query, linkTo } = useView();
  const { after, before } = query;
  const page: PageQuery = { ...(after && { starting_after: after }), ...(before && { ending_before: before }) };
  const keys = [...props.keys, after, before];
  const answer = useAnswer(() => props.ask(page), keys);
  const { rows, announced, show } = useHeldRows(answer, keys, props);
  const { data, problem, isLoading, reload } = answer;
  if (!data) return problem ? <ProblemNote problem={problem} onRetry={reload} /> : <p role="status">{TEXTS.list.loading}</p>;
  const isPaged = after !== undefined || before !== undefined;
  // Backwards, `has_more` is about what comes before the page.
  const [hasPrevious, hasNext] = before ? [data.has_more, true] : [after !== undefined, data.has_more];
  return (
    <div class="stack list" aria-busy={isLoading}>
      <ProblemNote problem={problem} onRetry={reload} />
      <div role="status" class={props.live && 'announced'}>
        {announced > 0 && (
          <p class="row">
            {TEXTS.list.changes(announced)} <button onClick={show}>{TEXTS.list.show}</button>
          </p>
        )}
      </div>
      {props.actions && <div class="row">{props.actions(rows.map(({ id }) => id))}</div>}
      {rows.length === 0 ? (
        <div class="card stack">{isPaged || data.has_more ? TEXTS.list.more : props.empty}</div>
      ) : (
        <Rows {...props} items={rows} />
      )}
      <PageLinks
        {...props}
        previous={hasPrevious ? linkTo({ after: undefined, before: data.data[0]?.id }) : null}
        next={hasNext ? linkTo({ before: undefined, after: nextOf(data) }) : null}
      />
    </div>
  );
}

interface PageLinksProps {
  readonly caption: string;
  readonly isOldestFirst?: boolean;
  readonly previous: string | null;
  readonly next: string | null;
}

function PageLinks({ caption, isOldestFirst = false, previous, next }: PageLinksProps) {
  const { newer, older } = TEXTS.list;
  const [before, after] = isOldestFirst ? [older, newer] : [newer, older];
  return (
    <nav class="row" aria-label={caption}>
      {previous !== null && <a href={previous}>{before}</a>}
      {next !== null && <a href={next}>{after}</a>}
    </nav>
  );
}

function nextOf<Item extends { readonly id: string }>({ data, next_cursor: next }: Page<Item>): string | undefined {
  return next ?? data.at(-1)?.id;
}

type RowsProps<Item extends { readonly id: string }> = Pick<ListProps<Item>, 'caption' | 'columns' | 'picked' | 'onPick'> & {
  readonly items: readonly Item[];
};

export function Rows<Item extends { readonly id: string }>({ caption, columns, items, picked, onPick }: RowsProps<Item>) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          {onPick && <th class="pick" />}
          {columns.map(({ label, isNumber }) => (
            <th key={label} scope="col" class={isNumber ? 'number' : undefined}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr key={item.id}>
            {onPick && (
              <td class="pick">
                <input
                  type="checkbox"
                  aria-label={item.id}
                  checked={picked?.has(item.id)}
                  onChange={({ currentTarget }) => onPick(item.id, currentTarget.checked)}
                />
              </td>
            )}
            {columns.map(({ label, cell, isNumber }) => (
              <td key={label} data-label={label} class={isNumber ? 'number' : undefined}>
                <div>{cell(item)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
