import type { components } from '../api/admin-api.js';
import { placeOf, useProject } from '../state/project.js';
import type { Answer } from '../state/use-answer.js';
import { CAUSE_TEXTS as TEXTS } from './cause-texts.js';
import { Facts } from './facts.js';
import { IdLink } from './id-link.js';
import { ProblemNote } from './problem-note.js';
import { Time } from './time.js';

type CauseChain = components['schemas']['CauseChainResource'];
type StoredEvent = CauseChain['events'][number];

/** What led to an event or a delivery, the first cause first, as items of a timeline. */
export function CauseItems({ of: { data, problem, reload } }: { readonly of: Answer<CauseChain> }) {
  if (!data) {
    return (
      <li>
        <ProblemNote problem={problem} onRetry={reload} />
      </li>
    );
  }
  return (
    <>
      <li>
        <Beginning of={data.beginning} />
      </li>
      {data.events.toReversed().map((event) => (
        <Stored key={event.position} of={event} />
      ))}
    </>
  );
}

function Beginning({ of: cause }: { readonly of: string | null }) {
  const project = useProject();
  if (cause === null) return <span class="muted">{TEXTS.unknown}</span>;
  const [kind] = cause.split(/[_:]/);
  if (kind === 'timer') {
    return (
      <>
        <strong>{TEXTS.timer}</strong>: <code>{cause.slice('timer:'.length)}</code>
      </>
    );
  }
  const isTask = kind === 'task';
  return (
    <>
      <strong>{isTask ? TEXTS.task : TEXTS.request}</strong>: <IdLink id={cause} />{' '}
      {!isTask && <a href={`${placeOf(project, 'found')}?q=${cause}`}>{TEXTS.requestEvents}</a>}
    </>
  );
}

function Stored({ of: event }: { readonly of: StoredEvent }) {
  const { facts } = TEXTS;
  return (
    <li>
      <strong>{inWords(event.type)}</strong> {TEXTS.in} <IdLink id={idIn(event.stream)} />{' '}
      {event.actor && <Actor of={event.actor} />} <Time at={event.at} whole />
      <details class="small">
        <summary>{TEXTS.envelope}</summary>
        <Facts
          of={[
            [facts.stored, `${event.type} ${event.stream}@${event.revision}`],
            [facts.position, event.position],
            [facts.request, event.request_id],
            [facts.correlation, event.correlation_id],
            [facts.causation, event.causation_id],
            [facts.trace, event.traceparent],
          ]}
        />
      </details>
    </li>
  );
}

function Actor({ of: { type, id, session_id: session } }: { readonly of: NonNullable<StoredEvent['actor']> }) {
  return (
    <>
      {TEXTS.actors[type]} {id !== null && <IdLink id={id} />}
      {session !== null && <IdLink id={session}>{session}</IdLink>}
    </>
  );
}

/** `AppointmentBooked` as "Appointment booked". */
function inWords(type: string): string {
  return type.replaceAll(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The id in `<category>-<id>`. */
function idIn(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1);
}
