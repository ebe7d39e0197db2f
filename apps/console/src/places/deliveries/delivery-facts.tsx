import type { ComponentChildren } from 'preact';
import type { components } from '../../api/admin-api.js';
import { Facts } from '../../parts/facts.js';
import { IdLink } from '../../parts/id-link.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { ONE_DELIVERY_TEXTS } from './texts.js';

export type WholeDelivery = components['schemas']['DeliveryOfEventResource'];

const { facts: TEXTS, triggers, failures, cancels, noNext } = ONE_DELIVERY_TEXTS;

/** The status of a delivery, and why. */
export function DeliveryFacts({ of: delivery }: { readonly of: WholeDelivery }) {
  const { failure_reason: failure, cancel_reason: cancel, superseded_by: replacement, replay_of: original } = delivery;
  const facts: (readonly [string, ComponentChildren])[] = [[TEXTS.status, <Status status={delivery.status} />]];
  if (failure) facts.push([TEXTS.failed, failures[failure]]);
  if (cancel) facts.push([TEXTS.cancelled, cancels[cancel]]);
  if (replacement) facts.push([TEXTS.replacedBy, <IdLink id={replacement} />]);
  facts.push([TEXTS.next, <NextAttempt of={delivery} />], [TEXTS.why, triggers[delivery.trigger]]);
  if (original) facts.push([TEXTS.replayOf, <IdLink id={original} />]);
  facts.push(
    [TEXTS.event, <EventCell of={delivery} />],
    [TEXTS.appointment, <MadeUpOrLink id={delivery.event.appointment_id} trigger={delivery.trigger} />],
    [TEXTS.endpoint, <IdLink id={delivery.webhook_endpoint_id} />],
    [TEXTS.url, <Foreign text={delivery.url} />],
    [TEXTS.attempts, `${delivery.attempt_count} / ${delivery.max_attempts}`],
    [TEXTS.made, <Time at={delivery.created_at} whole />],
    [TEXTS.over, <Time at={delivery.completed_at} whole />],
  );
  return (
    <div class="card">
      <Facts of={facts} />
    </div>
  );
}

function EventCell({ of: { event_id: id, event_type: type, trigger } }: { readonly of: WholeDelivery }) {
  return (
    <>
      {type} <MadeUpOrLink id={id} trigger={trigger} />
    </>
  );
}

/** A test's event and appointment are made up: no page shows them. */
function MadeUpOrLink({ id, trigger }: Pick<WholeDelivery, 'id' | 'trigger'>) {
  return trigger === 'test' ? <code>{id}</code> : <IdLink id={id} />;
}

/** When it is due, or why there is no such time. */
export function NextAttempt({ of: { status, next_attempt_at: next } }: { readonly of: WholeDelivery }) {
  if (next) return <Time at={next} whole />;
  if (status === 'delivering') return <>{noNext.delivering}</>;
  return <>{isOpenDelivery({ status }) ? noNext.paused : noNext.over}</>;
}

export function isOpenDelivery({ status }: Pick<WholeDelivery, 'status'>): boolean {
  return status === 'pending' || status === 'delivering' || status === 'retrying';
}
