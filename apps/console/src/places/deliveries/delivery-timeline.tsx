import type { ComponentChildren } from 'preact';
import { IdLink } from '../../parts/id-link.js';
import { Status } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import { Duration, Outcome, Phases } from './attempt.js';
import { isOpenDelivery, NextAttempt, type WholeDelivery } from './delivery-facts.js';
import { ONE_DELIVERY_TEXTS as TEXTS } from './texts.js';

/** What happened to a delivery and what is next, in its order. */
export function DeliveryTimeline({ of: delivery }: { readonly of: WholeDelivery }) {
  return (
    <ol class="timeline">
      <Step at={delivery.created_at} what={TEXTS.made}>
        {TEXTS.triggers[delivery.trigger]} {delivery.replay_of && <IdLink id={delivery.replay_of} />}
      </Step>
      {delivery.attempts.map((attempt) => (
        <Step key={attempt.id} at={attempt.started_at} what={TEXTS.attempt.heading(attempt.attempt)}>
          <span class="row">
            <Outcome of={attempt} />
            {attempt.response_status !== null && <span>{TEXTS.answered(attempt.response_status)}</span>}
            <Duration of={attempt} />
          </span>
          <span class="small muted">
            <Phases of={attempt} />
          </span>
        </Step>
      ))}
      {isOpenDelivery(delivery) ? <Next of={delivery} /> : <End of={delivery} />}
    </ol>
  );
}

interface StepProps {
  readonly at: string | null;
  readonly what: string;
  readonly children?: ComponentChildren;
}

function Step({ at, what, children }: StepProps) {
  return (
    <li class="stack tight">
      <span class="row">
        <strong>{what}</strong>
        {at && (
          <span class="small muted">
            <Time at={at} whole />
          </span>
        )}
      </span>
      {children && <div class="stack tight">{children}</div>}
    </li>
  );
}

function Next({ of: delivery }: { readonly of: WholeDelivery }) {
  return (
    <Step at={null} what={TEXTS.facts.next}>
      <NextAttempt of={delivery} />
    </Step>
  );
}

function End({ of: delivery }: { readonly of: WholeDelivery }) {
  const { status, failure_reason: failure, cancel_reason: cancel, superseded_by: replacement } = delivery;
  const what = failure ? TEXTS.failedNow : cancel ? TEXTS.cancelledNow : TEXTS.succeeded;
  return (
    <Step at={delivery.completed_at} what={what}>
      <Status status={status} />
      {failure && TEXTS.failures[failure]}
      {cancel && TEXTS.cancels[cancel]}
      {replacement && <IdLink id={replacement} />}
    </Step>
  );
}
