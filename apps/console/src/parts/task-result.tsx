import type { ComponentChildren } from 'preact';
import type { Task } from '../state/use-task.js';
import { TASK_TEXTS as TEXTS } from './task-texts.js';
import { Facts } from './facts.js';
import { IdLink } from './id-link.js';
import { formatCount, Time } from './time.js';

type Result = NonNullable<Task['result']>;
type Fact = readonly [name: string, value: ComponentChildren];

/** What came of a task, or, of a dry run, what would. */
export function TaskResult({ result }: { readonly result: Result }) {
  return <Facts of={[...countsOf(result), ...skippedOf(result), ...timesOf(result), ...idsOf(result)]} />;
}

const COUNTS = ['would_create', 'created', 'matched', 'events', 'appointments', 'expected', 'missing'] as const;

function countsOf(result: Result): Fact[] {
  const isDryRun = result.would_create !== undefined;
  const shown = COUNTS.filter((name) => result[name] !== undefined && !(isDryRun && name === 'created'));
  return shown.map((name) => [TEXTS.counts[name], <strong>{formatCount(result[name] ?? 0)}</strong>]);
}

/** Reasons that left something out come first; the others are one line. */
function skippedOf({ skipped }: Result): Fact[] {
  const some = Object.entries(skipped).filter(([, count]) => count > 0);
  if (some.length === 0) return [[TEXTS.skipped, formatCount(0)]];
  return some.map(([reason, count]) => [
    TEXTS.skippedAs(reason),
    <>
      {formatCount(count)} <span class="muted">{TEXTS.reasons[reason]}</span>
    </>,
  ]);
}

function timesOf({ oldest_event_at: oldest, newest_event_at: newest }: Result): Fact[] {
  if (!oldest && !newest) return [];
  return [
    [TEXTS.oldest, <Time at={oldest} whole />],
    [TEXTS.newest, <Time at={newest} whole />],
  ];
}

function idsOf({ sample = [], unknown }: Result): Fact[] {
  const facts: Fact[] = [];
  if (sample.length > 0) facts.push([TEXTS.sample, <Ids ids={sample} />]);
  if (unknown && unknown.count > 0) facts.push([TEXTS.unknown(unknown.count), <Ids ids={unknown.ids} />]);
  return facts;
}

function Ids({ ids }: { readonly ids: readonly string[] }) {
  return (
    <details>
      <summary>{TEXTS.ids(ids.length)}</summary>
      <ul class="plain">
        {ids.map((id) => (
          <li key={id}>
            <IdLink id={id} />
          </li>
        ))}
      </ul>
    </details>
  );
}
