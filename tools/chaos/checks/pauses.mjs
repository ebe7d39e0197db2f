import { allDeliveries } from '../truth.mjs';

/** From the answer to the last attempt that may begin. */
const STOPS_WITHIN_MS = 2_000;

export const overlap = (one, other) => one.to > other.from && one.from < other.to;

/** The pauses of a delivery's endpoint. */
export function pausesOf({ histories }, { webhook_endpoint_id: endpoint }) {
  return histories.get(endpoint)?.pauses ?? [];
}

const toPaused = (truth) => allDeliveries(truth).filter((delivery) => pausesOf(truth, delivery).length > 0);

/** How long after the answer an attempt began; 0 or less where it may have begun. */
function tooLateMs({ started_at: startedAt }, { toldAt, endAskedAt }) {
  const at = Date.parse(startedAt);
  return at < endAskedAt ? at - toldAt - STOPS_WITHIN_MS : 0;
}

export const pauses = {
  'no attempt begins later than two seconds after the answer to a pause, until its end is asked for': (truth) =>
    toPaused(truth).flatMap(({ id, attempts, ...delivery }) =>
      pausesOf(truth, delivery).flatMap((pause) =>
        attempts
          .filter((attempt) => tooLateMs(attempt, pause) > 0)
          .map((attempt) => `${id}: attempt ${attempt.attempt}, ${tooLateMs(attempt, pause)} ms too late`),
      ),
    ),

  'a pause uses up no attempt: each is a POST, or was cut off by the end of its process': (truth) => {
    const posted = new Set(truth.received.map(({ delivery, attempt }) => `${delivery} ${attempt}`));
    return toPaused(truth).flatMap(({ id, attempts }) =>
      attempts
        .filter(({ attempt, error_code: code }) => !posted.has(`${id} ${attempt}`) && code !== 'network_error')
        .map(({ attempt, error_code: code }) => `${id}: attempt ${attempt} ${code}`),
    );
  },

  'what waited for a paused endpoint is all delivered after it is resumed': (truth) => {
    const wait = new Map();
    for (const { event_id: event, webhook_endpoint_id: endpoint, status } of toPaused(truth)) {
      const to = `${event} to ${endpoint}`;
      wait.set(to, status !== 'succeeded' && (wait.get(to) ?? true));
    }
    return [...wait].filter(([, waits]) => waits).map(([to]) => to);
  },
};
