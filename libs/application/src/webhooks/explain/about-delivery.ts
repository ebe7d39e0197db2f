import type { CancelReason } from '@domain/delivery/delivery.events';
import { toTime } from '../../read-models/time.resource.js';
import type { DeliveryView } from '../delivery-view.js';
import type { Facts, MissingReason, Told } from './facts.js';
import { toReplay } from './to-replay.js';

const CANCELLED: Readonly<Record<Exclude<CancelReason, 'superseded'>, string>> = {
  endpoint_disabled: 'as the endpoint was disabled',
  endpoint_deleted: 'as the endpoint was deleted',
  cancelled_by_user: 'by request',
  event_expired: 'as its event expired while it waited',
};

const KEPT_BACK: Partial<Record<CancelReason, MissingReason>> = {
  endpoint_disabled: 'endpoint_disabled',
  endpoint_deleted: 'deleted',
};

/** The state of the last delivery of an event to an endpoint. */
export function aboutDelivery(last: DeliveryView, { event, now }: Facts): Told {
  const replay = now && toReplay(event, now);
  const at = toTime(last.completedAt ?? last.decidedAt);
  switch (last.status) {
    case 'succeeded':
      return told(`The receiver answered ${last.lastResponseStatus} at ${at}.`, null);
    case 'pending':
      return told(`The delivery waits for its first attempt${dueAt(last)}.`, toResume(last, now));
    case 'delivering':
      return told(`Attempt ${last.attemptCount} of ${last.maxAttempts} has been under way since ${at}.`, null);
    case 'retrying':
      return told(`${outcomeOf(last)}, and the next attempt is to come${dueAt(last)}.`, toResume(last, now));
    case 'failed': {
      const isFinal = last.failureReason === 'permanent_rejection' ? ', which is not tried again' : ', which was the last';
      return told(`${outcomeOf(last)} at ${at}${isFinal}.`, replay && `Repair the receiver, then ${inside(replay)}`);
    }
    case 'cancelled':
      return cancelled(last, at, replay);
  }
}

function told(explanation: string, whatToDo: string | null): Told {
  return { reason: null, explanation, whatToDo };
}

function cancelled({ cancelReason, supersededBy }: DeliveryView, at: string, replay: string | null): Told {
  // What took its place may be of a newer event of the appointment: then this event is not to be sent again.
  if (cancelReason === 'superseded') {
    const by = supersededBy === null ? 'a replay' : `${supersededBy}, made by a replay,`;
    return told(`The delivery was cancelled at ${at}, as ${by} took its place.`, null);
  }
  const why = cancelReason === null ? '' : `, ${CANCELLED[cancelReason]}`;
  const reason = (cancelReason !== null && KEPT_BACK[cancelReason]) || null;
  return { reason, explanation: `The delivery was cancelled at ${at}${why}.`, whatToDo: replay };
}

/** That of the last attempt. One that was cut off by the end of our process has an error code too. */
function outcomeOf({ attempts, attemptCount, maxAttempts }: DeliveryView): string {
  const { status = null, errorCode = null } = attempts.at(-1) ?? {};
  const attempt = `attempt ${attemptCount} of ${maxAttempts}`;
  return status === null
    ? `A${attempt.slice(1)} ended with ${errorCode ?? 'no answer'}`
    : `The receiver answered ${status} to ${attempt}`;
}

function dueAt({ dueAt: at }: DeliveryView): string {
  return at === null ? ' once the endpoint is resumed' : `, due at ${toTime(at)}`;
}

/** What waits without a time waits for a paused endpoint. */
function toResume({ dueAt: at }: DeliveryView, now: Facts['now']): string | null {
  return at === null && now?.status === 'paused' ? `Resume the endpoint with POST /v1/webhook_endpoints/${now.id}/resume.` : null;
}

function inside(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
