import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { List } from '../../parts/list.js';
import { Place } from '../../parts/place.js';
import { ProjectionStatus } from '../../parts/projection-status.js';
import { Status } from '../../parts/status.js';
import { formatCount, formatDuration, Time } from '../../parts/time.js';
import { useEffect, useState } from 'preact/hooks';
import { PLACES } from '../../texts.js';
import { Commands } from './commands.js';
import { SkippedEvents } from './skipped-events.js';
import { WORDS } from './texts.js';

const { list } = WORDS;

const EVERY_MS = 1_000;

/** How far each read model is, how to make one or all anew, and what could not be applied. */
export function Projections() {
  const [isRebuilding, setRebuilding] = useState(false);
  const [all, setAll] = useState<All>({ count: 0, rows: 0 });
  const { round, next } = useRounds(isRebuilding);
  const rebuild = async (name: string) => {
    await answerOf(api.POST('/admin/v1/projections/{name}/rebuild', { params: { path: { name } } }));
    next();
  };
  const rebuildAll = async () => {
    await answerOf(api.POST('/admin/v1/projections/rebuild'));
    next();
  };
  const ask = async () => {
    const page = await answerOf(api.GET('/admin/v1/projections'));
    setRebuilding(page.data.some(({ rebuild: now }) => now?.state === 'running'));
    setAll({ count: page.data.length, rows: page.data.reduce((sum, { rows }) => sum + rows, 0) });
    return { ...page, data: page.data.map((each) => ({ ...each, id: `${each.name} ${each.version}` })) };
  };
  return (
    <Place title={PLACES.projections} about={WORDS.about} actions={<RebuildAll of={all} onConfirm={rebuildAll} />}>
      <List
        caption={PLACES.projections}
        ask={ask}
        keys={[round]}
        live={['projection']}
        columns={[
          { label: list.name, cell: ({ name }) => <a href={`/admin/projections/${name}`}>{name}</a> },
          { label: list.version, cell: ({ version }) => formatCount(version), isNumber: true },
          { label: list.state, cell: ({ state }) => <ProjectionStatus state={state} /> },
          { label: list.rows, cell: ({ rows }) => formatCount(rows), isNumber: true },
          { label: list.behind, cell: ({ lag_ms: lag }) => formatDuration(lag), isNumber: true },
          {
            label: list.position,
            cell: ({ checkpoint, head }) => `${shortPosition(checkpoint)} / ${shortPosition(head)}`,
            isNumber: true,
          },
          { label: list.progress, cell: ({ last_progress_at: at }) => <Time at={at} /> },
          { label: list.skipped, cell: ({ skipped }) => formatCount(skipped), isNumber: true },
          {
            label: list.rebuild,
            cell: ({ name, rebuild: now }) => <Rebuild name={name} now={now} onConfirm={() => rebuild(name)} />,
          },
        ]}
        empty="–"
      />
      <SkippedEvents round={round} />
      <Commands />
    </Place>
  );
}

interface All {
  readonly count: number;
  readonly rows: number;
}

function RebuildAll({ of: { count, rows }, onConfirm }: { readonly of: All; readonly onConfirm: () => Promise<void> }) {
  return (
    <AskBefore label={WORDS.rebuildAll} title={WORDS.rebuildAll} onConfirm={onConfirm} disabled={count === 0}>
      <p>{WORDS.rebuildAllAbout(formatCount(count), formatCount(rows))}</p>
    </AskBefore>
  );
}

interface RebuildProps {
  readonly name: string;
  readonly now: components['schemas']['ProjectionResource']['rebuild'];
  readonly onConfirm: () => Promise<void>;
}

/** The newest rebuild of a projection, and another. */
function Rebuild({ name, now, onConfirm }: RebuildProps) {
  return (
    <div class="row">
      {now && (
        <>
          <Status status={now.state} /> <progress max={100} value={now.percent ?? 0} aria-label={name} />
        </>
      )}
      <AskBefore label={WORDS.rebuild} title={`${WORDS.rebuild}: ${name}`} onConfirm={onConfirm}>
        <p>{WORDS.rebuildAbout}</p>
      </AskBefore>
    </div>
  );
}

/** Without the zeros that a position begins with. */
function shortPosition(position: string): string {
  return position.replace(/^0+(?=.)/, '');
}

/** Counts the questions: each second one while a rebuild is under way, whose progress the stream does not announce. */
function useRounds(isRebuilding: boolean) {
  const [round, setRound] = useState(0);
  const next = () => setRound((before) => before + 1);
  useEffect(() => {
    if (!isRebuilding) return undefined;
    const timer = setInterval(next, EVERY_MS);
    return () => clearInterval(timer);
  }, [isRebuilding]);
  return { round, next };
}
