import type { ComponentChildren } from 'preact';
import { useAnswer } from '../state/use-answer.js';
import { useFresh } from '../state/use-fresh.js';
import { useView } from '../state/use-view.js';
import { TEXTS } from '../texts.js';
import type { Page, PageQuery } from './list.js';
import { Loaded } from './loaded.js';
import { Prose } from './text-block.js';
import { Time } from './time.js';

export interface Said {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at: string;
}

interface TalkProps<Item extends Said> {
  readonly label: string;
  /** Asks for a page, newest first. */
  readonly ask: (page: PageQuery) => Promise<Page<Item>>;
  /** The id of the conversation or call. */
  readonly of: string;
  /** The kind of resource whose changes announce new items. */
  readonly live: string;
  readonly empty: ComponentChildren;
  /** Who said it, where the role does not tell. */
  readonly who?: (item: Item) => ComponentChildren;
  /** Shown below an item. */
  readonly under?: (item: Item) => ComponentChildren;
  /** Shown after the newest page. */
  readonly tail?: (page: readonly Item[]) => ComponentChildren;
}

/** What was said, oldest first: the last page until the address names another. */
export function Talk<Item extends Said>({ label, ask, of, live, empty, who, under, tail }: TalkProps<Item>) {
  const { query, linkTo } = useView();
  const { after, before } = query;
  const page: PageQuery = { ...(after && { starting_after: after }), ...(before && { ending_before: before }) };
  const answer = useAnswer(() => ask(page), [of, after, before]);
  useFresh([live], answer.reload, ({ id }) => id === of);
  return (
    <Loaded of={answer}>
      {({ data, has_more: hasMore, next_cursor: next }) => (
        <>
          <nav class="row" aria-label={label}>
            {next && <a href={linkTo({ after: next, before: undefined })}>{TEXTS.talk.earlier}</a>}
            {(before ? hasMore : after) && <a href={linkTo({ after: undefined, before: data[0]?.id })}>{TEXTS.talk.later}</a>}
            {(after || before) && <a href={linkTo({ after: undefined, before: undefined })}>{TEXTS.talk.newest}</a>}
          </nav>
          {data.length === 0 && <p class="muted">{empty}</p>}
          <div role="log" aria-label={label}>
            <ol class="chat">
              {data.toReversed().map((item) => (
                <li key={item.id} id={item.id} class={`stack tight ${item.role}`}>
                  <span class="row apart small muted">
                    <strong>{who?.(item) || TEXTS.talk[item.role]}</strong>
                    <Time at={item.at} />
                  </span>
                  <Prose text={item.content} />
                  {under?.(item)}
                </li>
              ))}
              {!after && !before && tail?.(data)}
            </ol>
          </div>
        </>
      )}
    </Loaded>
  );
}
