import { useLocation } from 'preact-iso';
import { useEffect } from 'preact/hooks';
import { IdLink } from '../../parts/id-link.js';
import { Rows, type Column } from '../../parts/list.js';
import { Loaded } from '../../parts/loaded.js';
import { Place } from '../../parts/place.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useView } from '../../state/use-view.js';
import { TEXTS } from '../../texts.js';
import { find, type Hit } from './find.js';
import { WORDS } from './texts.js';

const { labels } = WORDS;

const COLUMNS: readonly Column<Hit>[] = [
  { label: labels.what, cell: ({ object }) => WORDS.kinds[object] },
  { label: labels.id, cell: ({ id }) => <IdLink id={id} /> },
  { label: labels.text, cell: ({ text }) => <Foreign text={text} /> },
  { label: labels.created, cell: ({ created_at: at }) => <Time at={at} /> },
];

/** What the search box found; a single thing is shown itself. */
export function Found() {
  const { query } = useView();
  const text = query['q']?.trim() ?? '';
  return (
    <Place title={WORDS.title} about={text !== '' && <Foreign text={WORDS.about(text)} />}>
      {text === '' ? <p>{WORDS.nothing}</p> : <FoundList key={text} text={text} />}
    </Place>
  );
}

function FoundList({ text }: { readonly text: string }) {
  const project = useProject();
  const { route } = useLocation();
  const answer = useAnswer(() => find(project, text), [project, text]);
  const only = answer.data?.only ?? null;
  useEffect(() => {
    if (only !== null) route(only, true);
  }, [only]);
  if (only !== null) return <p role="status">{TEXTS.list.loading}</p>;
  return (
    <Loaded of={answer}>
      {({ hits, hasMore }) => (
        <div class="stack list">
          {hits.length === 0 ? <p class="card">{WORDS.none}</p> : <Rows caption={WORDS.title} columns={COLUMNS} items={hits} />}
          {hasMore && <p class="muted">{WORDS.more}</p>}
        </div>
      )}
    </Loaded>
  );
}
