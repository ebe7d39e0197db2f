import { Curl } from '../../parts/curl.js';
import { Loaded } from '../../parts/loaded.js';
import { Section } from '../../parts/place.js';
import { formatCount } from '../../parts/time.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { useFresh } from '../../state/use-fresh.js';
import { useGrowing } from '../../state/use-growing.js';
import { TEXTS as COMMON } from '../../texts.js';
import { isKept, LifeStep } from './life-step.js';
import { CHANGES_A_PAGE, lifeOf, type Life } from './life-of.js';
import { WORDS } from './texts.js';

const TEXTS = WORDS.life;

/** Every change of an appointment: what it changed, who made it, what was emitted, and to whom that was posted. */
export function AppointmentLife({ id }: { readonly id: string }) {
  const project = useProject();
  const { wanted, more } = useGrowing('changes', CHANGES_A_PAGE);
  const answer = useAnswer(() => lifeOf(project, id, wanted), [project, id, wanted]);
  const { known, isWaiting } = whatMatters(id, answer.data);
  useFresh(
    ['appointment', 'event', 'webhook_delivery'],
    answer.reload,
    (change) => known.has(change.id) || (isWaiting && change.object === 'webhook_delivery'),
  );
  const all = (place: string) => `${placeOf(project, place)}?object_id=${id}`;
  return (
    <Section title={TEXTS.title}>
      <Loaded of={answer}>{(life) => <Steps of={life} more={more} />}</Loaded>
      <p class="row">
        <a href={all('events')}>{TEXTS.events}</a>
        <a href={all('deliveries')}>{TEXTS.deliveries}</a>
      </p>
      <Curl request={{ path: `/appointments/${id}/history` }} />
      <Curl request={{ path: '/deliveries', query: { object_id: id, order: 'asc' } }} />
    </Section>
  );
}

function Steps({ of: { changes, deliveries }, more }: { readonly of: Life; readonly more: string }) {
  return (
    <>
      {deliveries.hasMore && <p class="card warning">{TEXTS.cut(formatCount(deliveries.items.length))}</p>}
      <ol class="timeline">
        {changes.items.map((change) => (
          <LifeStep
            key={change.id}
            of={change}
            deliveries={deliveries.items.filter((each) => each.event_id === change.event_id)}
          />
        ))}
      </ol>
      {changes.hasMore && (
        <p>
          <a href={more}>{COMMON.more}</a>
        </p>
      )}
    </>
  );
}

/** The ids whose changes are of this life, and whether an event of it may still get its first delivery. */
function whatMatters(id: string, life: Life | undefined) {
  const { changes, deliveries } = { changes: life?.changes.items ?? [], deliveries: life?.deliveries.items ?? [] };
  const posted = new Set(deliveries.map((each) => each.event_id));
  const events = changes.flatMap(({ event_id: event }) => event ?? []);
  return {
    known: new Set([id, ...events, ...deliveries.map((each) => each.id)]),
    isWaiting: changes.some(({ event_id: event, at }) => event !== null && !posted.has(event) && isKept(at)),
  };
}
