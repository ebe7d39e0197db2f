import type { Endpoint } from '@domain/endpoint/endpoint';
import { matches } from '@domain/endpoint/event-filter';
import { toTime } from '../../read-models/time.resource.js';
import type { ExplainedEvent, Facts, Told } from './facts.js';
import { toReplay } from './to-replay.js';

/** Why an endpoint has no delivery of an event. */
export function aboutMissing(facts: Facts): Told {
  const { event, then, now } = facts;
  if (!then) return aboutNewcomer(facts);
  if (!now) return { reason: 'deleted', explanation: deletionOf(then, facts), whatToDo: null };
  if (!matches(then.filters, event.type)) {
    const explanation = `When the event happened, at ${toTime(event.at)}, the event_filters were ${listed(then.filters)}, and none of them matches ${event.type}.`;
    return { reason: 'filter_mismatch', explanation, whatToDo: toGetIt(event, now) };
  }
  if (then.status === 'disabled') {
    const explanation = `The endpoint was disabled when the event happened, at ${toTime(event.at)}.`;
    return { reason: 'endpoint_disabled', explanation, whatToDo: toReplay(event, now) };
  }
  const explanation = `The deliveries of the event, which happened at ${toTime(event.at)}, are still to be made, one of them to this endpoint.`;
  return { reason: 'not_fanned_out_yet', explanation, whatToDo: 'Ask again in a few seconds.' };
}

function aboutNewcomer({ event, now }: Facts): Told {
  const registered = now ? ` at ${toTime(now.createdAt)}` : '';
  const explanation = `The endpoint was registered${registered}, after the event, which happened at ${toTime(event.at)}.`;
  return { reason: 'created_after_event', explanation, whatToDo: now && toReplay(event, now) };
}

function deletionOf(then: Endpoint, { event, deletedAt }: Facts): string {
  const deleted = `The endpoint was deleted${deletedAt === null ? '' : ` at ${toTime(deletedAt)}`}`;
  if (!matches(then.filters, event.type)) {
    return `${deleted}, and of its event_filters, ${listed(then.filters)}, none matched ${event.type}.`;
  }
  const happened = `the event happened, at ${toTime(event.at)}`;
  if (then.status === 'disabled') return `${deleted}, and had been disabled when ${happened}.`;
  return `${deleted}, before its delivery was made after ${happened}.`;
}

function toGetIt(event: ExplainedEvent, now: Endpoint): string {
  if (matches(now.filters, event.type)) return toReplay(event, now);
  const replay = toReplay(event, now);
  return `Add ${event.type} to its event_filters to get such events from now on, and to get this one ${replay.charAt(0).toLowerCase()}${replay.slice(1)}`;
}

function listed(filters: readonly string[]): string {
  return filters.join(', ');
}
