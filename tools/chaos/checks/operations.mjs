import { readFileSync } from 'node:fs';
import { API_KEY } from '../gateway-process.mjs';
import { acknowledged } from '../truth.mjs';

/** Any other value than 0 means lost, skipped or unfinished work. */
const MUST_BE_ZERO = [
  'projection_lag_seconds',
  'projection_skipped_events_total',
  'projection_refused_rows_total',
  'reactor_skipped_events_total',
  'sweep_failures_total',
  'webhook_attempts_in_flight',
  'webhook_deliveries_overdue',
  'webhook_pointers_unreadable_total',
];

const nameOf = (metric) => metric.split('{')[0];

/** Must not be logged: keys, secrets, contents and phone numbers. */
function secretsOf({ asked }) {
  const secrets = ['endpoint', 'rotation'].flatMap((kind) => acknowledged(asked, kind).map(({ told }) => told.secret));
  const contents = asked.flatMap(({ content }) => content ?? []);
  const phones = asked.flatMap(({ body }) => body?.customer?.phone ?? []);
  return [API_KEY, ...new Set([...secrets, ...contents, ...phones])];
}

export const nothingLeft = (except = []) => ({
  'nothing was skipped or left behind, says the service itself': ({ metrics }) =>
    MUST_BE_ZERO.filter((name) => !except.includes(name)).flatMap((name) => {
      const found = [...metrics].filter(([metric]) => nameOf(metric) === name);
      if (found.length === 0) return [`${name} is not told`];
      return found.filter(([, value]) => value !== 0).map(([metric, value]) => `${metric} is ${value}`);
    }),
});

export const operations = {
  ...nothingLeft(),

  'its log keeps secrets, contents and phone numbers': (truth) => {
    const log = readFileSync(truth.serviceLog, 'utf8');
    return secretsOf(truth).filter((secret) => log.includes(secret));
  },
};
