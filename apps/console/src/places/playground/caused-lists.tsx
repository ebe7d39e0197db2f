import type { ComponentChildren } from 'preact';
import { Curl, type ShownRequest } from '../../parts/curl.js';
import { IdLink } from '../../parts/id-link.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { WORDS } from './texts.js';
import { requestsFor, type Caused } from './use-caused.js';

const TEXTS = WORDS.caused;

/** Appointments, events and webhooks that came of a conversation. */
export function CausedLists({ of }: { readonly of: Caused | undefined }) {
  const { appointments = [], events = [], deliveries = [] } = of ?? {};
  const requests = of && requestsFor(of);
  return (
    <div class="stack" aria-live="polite">
      <CausedList title={TEXTS.appointments} empty={TEXTS.noAppointments} requests={requests?.appointments}>
        {appointments.map(({ id, status, service, starts_at: at }) => (
          <li key={id} class="card stack tight">
            <span class="row">
              <Status status={status} /> <Foreign text={service} /> <Time at={at} whole />
            </span>
            <IdLink id={id} />
          </li>
        ))}
      </CausedList>
      <CausedList title={TEXTS.events} empty={TEXTS.noEvents} requests={requests?.events}>
        {events.map(({ id, type, created_at: at }) => (
          <li key={id} class="card stack tight">
            <span class="row">
              <strong>{type}</strong> <Time at={at} />
            </span>
            <IdLink id={id} />
          </li>
        ))}
      </CausedList>
      <CausedList title={TEXTS.deliveries} empty={TEXTS.noDeliveries} requests={requests?.deliveries}>
        {deliveries.map(({ id, status, url, event_type: type, created_at: at }) => (
          <li key={id} class="card stack tight">
            <span class="row">
              <Status status={status} /> {type} <Time at={at} />
            </span>
            <Foreign text={url} />
            <IdLink id={id} />
          </li>
        ))}
      </CausedList>
    </div>
  );
}

interface CausedListProps {
  readonly title: string;
  readonly empty: string;
  /** What asks the API for the same; nothing while there is nothing to ask for. */
  readonly requests: readonly ShownRequest[] | undefined;
  readonly children: readonly ComponentChildren[];
}

function CausedList({ title, empty, requests = [], children }: CausedListProps) {
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      {children.length === 0 ? <p class="muted">{empty}</p> : <ul class="slots stack tight">{children}</ul>}
      {requests.length > 0 && <Curl request={requests} />}
    </section>
  );
}
