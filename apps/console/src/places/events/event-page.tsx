import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Place, Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { TextBlock } from '../../parts/text-block.js';
import { useChanges } from '../../state/changes.js';
import { useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { PLACES, TEXTS } from '../../texts.js';
import { EventChain } from './event-chain.js';
import { EventDeliveries } from './event-deliveries.js';
import { EventExplanation } from './event-explanation.js';
import { EventFacts } from './event-facts.js';
import { ReplayEvent } from './replay-event.js';
import { WORDS } from './texts.js';

/** An event: where it comes from, where it went, and why. */
export function EventPage() {
  const id = useRoute().params['id'] ?? '';
  const project = useProject();
  const of = { params: { path: { project_id: project, id } } };
  const { data, problem, reload } = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/events/{id}', of)),
    [project, id],
  );
  const [made, setMade] = useState<number | null>(null);
  const [round, setRound] = useState(0);
  const renew = () => {
    reload();
    setRound((count) => count + 1);
  };
  useChanges(['event'], (change) => {
    if (change === null || change.id === id) renew();
  });
  if (!data) return problem ? <ProblemNote problem={problem} onRetry={reload} /> : <p role="status">{TEXTS.list.loading}</p>;
  const { delivery_summary: summary, ...body } = data;
  const replayed = (count: number) => {
    setMade(count);
    renew();
  };
  return (
    <Place title={data.type} about={<code>{id}</code>} actions={<ReplayEvent id={id} onDone={replayed} />}>
      <div class="stack">
        <ProblemNote problem={problem} onRetry={reload} />
        <div role="status">{made !== null && <p class="card note">{WORDS.replayed(made)}</p>}</div>
        <EventFacts event={data} summary={summary} />
      </div>
      <Section title={WORDS.chain}>
        <EventChain event={data} round={round} />
      </Section>
      <Section title={WORDS.explain}>
        <EventExplanation id={id} round={round} />
      </Section>
      <Section title={PLACES.deliveries}>
        <EventDeliveries id={id} round={round} />
      </Section>
      <Section title={WORDS.body}>
        <TextBlock label={TEXTS.json} text={JSON.stringify(body, null, 2)} />
      </Section>
      <Curl request={{ path: `/events/${id}` }} />
    </Place>
  );
}
