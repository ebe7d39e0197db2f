import { groupBy } from './truth.mjs';

const MAX_PREVIOUS_SECRETS = 2;
const ABSENT = { askedAt: -Infinity, toldAt: -Infinity, status: 'absent' };

/** The state of an endpoint after an acknowledged request of each kind. */
const CHANGES = {
  endpoint: (_, { body, told }) => ({
    status: 'enabled',
    url: body.url,
    filters: body.event_filters,
    secret: told.secret,
    previous: [],
  }),
  amendment: (before, { body: { status = before.status, url = before.url, event_filters: filters = before.filters } }) => ({
    ...before,
    status,
    url,
    filters,
  }),
  rotation: (before, { body, told }) => {
    const at = Date.parse(told.secret_rotated_at);
    const until = at + body.grace_period_seconds * 1_000;
    const earlier = before.previous.filter((previous) => previous.until > at);
    const previous = until > at ? [{ secret: before.secret, until }, ...earlier].slice(0, MAX_PREVIOUS_SECRETS) : [];
    return { ...before, secret: told.secret, previous };
  },
  deletion: (before) => ({ ...before, status: 'deleted' }),
};

/** The versions of one endpoint. Only one client changes it; each change took effect between its request and its answer. */
class History {
  /** @param staleMs how old an endpoint may be that an attempt is made with */
  constructor(changes, staleMs) {
    this.staleMs = staleMs;
    this.versions = [ABSENT];
    for (const change of changes) {
      const { at: askedAt, kind, waiting = [], body, final } = change;
      const after = CHANGES[kind](this.versions.at(-1), change);
      this.versions.push({ ...after, askedAt, toldAt: final.at, by: { kind, body, waiting } });
    }
  }

  get last() {
    return this.versions.at(-1);
  }

  /** All versions with which an attempt that began at an instant may be made. */
  atAttempt(at) {
    return this.during(at - this.staleMs, at);
  }

  /** All versions that may have been current at some instant of a span. */
  during(from, to = from) {
    const first = this.versions.findLastIndex(({ toldAt }) => toldAt < from);
    const last = this.versions.findLastIndex(({ askedAt }) => askedAt <= to);
    return this.versions.slice(first, last + 1);
  }
}

/** The histories of all endpoints ever registered. A refused deletion counts: its first attempt deleted the endpoint. */
export function historiesOf(asked, staleMs) {
  const changes = asked.filter(({ kind, final }) => kind in CHANGES && final && (final.status < 300 || kind === 'deletion'));
  const known = changes.map((change) => ({ ...change, told: JSON.parse(change.final.text) }));
  const groups = groupBy(known, ({ endpoint, told }) => endpoint ?? told.id);
  return new Map([...groups].map(([id, group]) => [id, new History(group, staleMs)]));
}

export function isEnabled({ status }) {
  return status === 'enabled';
}

export function wants({ status, filters }, type) {
  return (
    status === 'enabled' && (filters.length === 0 || filters.some((filter) => [type, 'appointment.*', '*'].includes(filter)))
  );
}

/** The cancel reason of deliveries that wait for an endpoint in this state; null if it cancels none. */
export function failureReason({ status }) {
  return { disabled: 'endpoint_disabled', deleted: 'endpoint_deleted' }[status] ?? null;
}
