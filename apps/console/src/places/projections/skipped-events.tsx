import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { List } from '../../parts/list.js';
import { Section } from '../../parts/place.js';
import { formatCount, Time } from '../../parts/time.js';
import { SKIPPED_TEXTS as WORDS } from './texts.js';

const { columns } = WORDS;
const EVERY_MS = 500;

/** Skipped events. The stream does not announce them: they are loaded after each retry, and when `round` changes. */
export function SkippedEvents({ round }: { readonly round: number }) {
  const [retries, setRetries] = useState(0);
  const [outcome, setOutcome] = useState<string | null>(null);
  const retry = async (id: string) => {
    setOutcome(null);
    setOutcome(await retried(id));
    setRetries((before) => before + 1);
  };
  return (
    <Section title={WORDS.title}>
      <p role="status">{outcome}</p>
      <List
        caption={WORDS.title}
        ask={(page) => answerOf(api.GET('/admin/v1/skipped_events', { params: { query: page } }))}
        keys={[round, retries]}
        columns={[
          { label: columns.component, cell: ({ component }) => <code>{component}</code> },
          { label: columns.event, cell: ({ type }) => <code>{type}</code> },
          { label: columns.stream, cell: ({ stream }) => <code>{stream}</code> },
          { label: columns.position, cell: ({ position }) => position, isNumber: true },
          { label: columns.error, cell: ({ error, frames }) => <Failure error={error} frames={frames} /> },
          { label: columns.attempts, cell: ({ attempts }) => formatCount(attempts), isNumber: true },
          { label: columns.first, cell: ({ first_at: at }) => <Time at={at} /> },
          { label: columns.last, cell: ({ last_at: at }) => <Time at={at} /> },
          {
            label: WORDS.retry,
            cell: ({ id, type, component }) => (
              <AskBefore label={WORDS.retry} title={`${WORDS.retry}: ${type}, ${component}`} onConfirm={() => retry(id)}>
                <p>{WORDS.retryAbout}</p>
              </AskBefore>
            ),
          },
        ]}
        empty={WORDS.none}
      />
    </Section>
  );
}

function Failure({ error, frames }: { readonly error: string; readonly frames: readonly string[] }) {
  if (frames.length === 0) return <>{error}</>;
  return (
    <details class="small">
      <summary>{error}</summary>
      {frames.map((frame) => (
        <div key={frame}>
          <code>{frame}</code>
        </div>
      ))}
    </details>
  );
}

/** Asks for a retry, waits for its end, and tells what came of it. */
async function retried(id: string): Promise<string> {
  const asked = await answerOf(api.POST('/admin/v1/skipped_events/{id}/retry', { params: { path: { id } } }));
  const path = { id: asked.id };
  for (;;) {
    const { status, result } = await answerOf(api.GET('/admin/v1/tasks/{id}', { params: { path } }));
    if (status === 'completed') return result?.matched === 1 ? WORDS.applied : WORDS.stillFails;
    if (status !== 'pending' && status !== 'running') return WORDS.notDone;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
