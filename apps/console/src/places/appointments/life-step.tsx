import type { ComponentChildren } from 'preact';
import { IdLink } from '../../parts/id-link.js';
import { MemberChanges } from '../../parts/member-changes.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { formatCount, Time } from '../../parts/time.js';
import { PLACES, TEXTS as COMMON } from '../../texts.js';
import type { Change, Delivery } from './life-of.js';
import { WORDS } from './texts.js';

const TEXTS = WORDS.life;

/** For how long an event and its deliveries are kept. */
const KEPT_MS = 30 * 86_400_000;
/** Each step says them in its head. */
const SAID_ANYWAY: readonly string[] = ['version', 'updated_at'];
/** What of a booking is shown at once: the rest is how the appointment began. */
const OF_BOOKING: readonly string[] = ['status', 'service', 'starts_at'];
const IDS: readonly string[] = ['customer_id', 'conversation_id', 'session_id'];

/** Whether an event of this time can still be retrieved. */
export function isKept(at: string): boolean {
  return Date.parse(at) > Date.now() - KEPT_MS;
}

/** One change of an appointment. */
export function LifeStep({ of, deliveries }: { readonly of: Change; readonly deliveries: readonly Delivery[] }) {
  const { type, at, actor, reason, version, event_id: event } = of;
  return (
    <li class="stack tight">
      <span class="row">
        <strong>{event === null ? type : `appointment.${type}`}</strong>
        <span class="small muted">
          <Time at={at} whole />
        </span>
        <span class="small muted">{TEXTS.version(formatCount(version))}</span>
      </span>
      <span class="row">
        {TEXTS.actor} {TEXTS.actors[actor.type]}
        {actor.session_id && <IdLink id={actor.session_id} />}
        {reason !== type && <Foreign text={reason} />}
      </span>
      <WhatChanged of={of} />
      {event === null ? (
        <span class="small muted">{TEXTS.silent}</span>
      ) : (
        <Emitted event={event} at={at} deliveries={deliveries} />
      )}
    </li>
  );
}

function WhatChanged({ of: { version, changes } }: { readonly of: Change }) {
  const told = Object.entries(changes).filter(([member]) => !SAID_ANYWAY.includes(member));
  if (version > 1) return <MemberChanges of={Object.fromEntries(told)} value={shownValue} />;
  const isShown = ([member]: readonly [string, unknown]) => OF_BOOKING.includes(member);
  return (
    <>
      <MemberChanges of={Object.fromEntries(told.filter(isShown))} value={shownValue} />
      <details class="small">
        <summary>{TEXTS.rest}</summary>
        <MemberChanges of={Object.fromEntries(told.filter((each) => !isShown(each)))} value={shownValue} />
      </details>
    </>
  );
}

function shownValue(value: unknown, member: string): ComponentChildren {
  if (value === null) return COMMON.none;
  if (typeof value === 'object' && member !== 'metadata') return <Members of={value} />;
  if (typeof value !== 'string') return <Foreign text={JSON.stringify(value)} />;
  if (member === 'status') return <Status status={value} />;
  if (member.endsWith('_at') || member === 'at') return <Time at={value} whole />;
  return IDS.includes(member) ? <IdLink id={value} /> : <Foreign text={value} />;
}

/** Of a cancellation, a failure or a move. */
function Members({ of }: { readonly of: object }) {
  return (
    <span class="row">
      {Object.entries(of).map(([name, value]) => (
        <span key={name}>
          <span class="muted">{name}</span> {shownValue(value, name)}
        </span>
      ))}
    </span>
  );
}

interface EmittedProps {
  readonly event: string;
  readonly at: string;
  readonly deliveries: readonly Delivery[];
}

/** The event of a change, and to whom it was posted. */
function Emitted({ event, at, deliveries }: EmittedProps) {
  return (
    <>
      <span class="row">
        {TEXTS.event} {isKept(at) ? <IdLink id={event} /> : <code>{event}</code>}
        {deliveries.length === 0 && <span class="small muted">{isKept(at) ? TEXTS.noDeliveries : TEXTS.gone}</span>}
      </span>
      {deliveries.length > 0 && (
        <ul class="slots stack tight" aria-label={PLACES.deliveries}>
          {deliveries.map(({ id, status, url, attempt_count: attempts }) => (
            <li key={id} class="row small">
              <Status status={status} />
              <IdLink id={id} />
              <Foreign text={url} />
              <span class="muted">{TEXTS.attempts(formatCount(attempts))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
