import { groupBy } from './truth.mjs';

const MAX_PREVIOUS_SECRETS = 2;
const ABSENT = { askedAt: -Infinity, toldAt: -Infinity, status: 'absent' };

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
  pause: (before) => ({ ...before, status: 'paused' }),
  resume: (before) => ({ ...before, status: 'enabled' }),
  deletion: (before) => ({ ...before, status: 'deleted' }),
};

/** The versions of an endpoint with one client; each change took effect between request and answer. */
class History {
  /** @param staleMs how outdated the endpoint of an attempt may be */
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

  /** When it was paused, each from the request to pause it to the answer that it goes on. */
  get pauses() {
    const found = [];
    for (const [index, { status, askedAt, toldAt }] of this.versions.entries()) {
      const wasPaused = this.versions[index - 1]?.status === 'paused';
      if (status === 'paused' && !wasPaused) found.push({ from: askedAt, toldAt, endAskedAt: Infinity, to: Infinity });
      if (status !== 'paused' && wasPaused) Object.assign(found.at(-1), { endAskedAt: askedAt, to: toldAt });
    }
    return found;
  }

  /** Versions that an attempt begun at an instant may use. */
  atAttempt(at) {
    return this.during(at - this.staleMs, at);
  }

  /** Versions possibly current within a span. */
  during(from, to = from) {
    const first = this.versions.findLastIndex(({ toldAt }) => toldAt < from);
    const last = this.versions.findLastIndex(({ askedAt }) => askedAt <= to);
    return this.versions.slice(first, last + 1);
  }
}

/** A refused deletion counts: its first attempt deleted the endpoint. */
export function historiesOf(asked, staleMs) {
  const changes = asked.filter(({ kind, final }) => kind in CHANGES && final && (final.status < 300 || kind === 'deletion'));
  const known = changes.map((change) => ({ ...change, told: JSON.parse(change.final.text) }));
  const groups = groupBy(known, ({ endpoint, told }) => endpoint ?? told.id);
  return new Map([...groups].map(([id, group]) => [id, new History(group, staleMs)]));
}

/** Events make deliveries to it. */
export function isAlive({ status }) {
  return status === 'enabled' || status === 'paused';
}

export function wants(version, type) {
  const { filters } = version;
  return isAlive(version) && (filters.length === 0 || filters.some((filter) => [type, 'appointment.*', '*'].includes(filter)));
}

export function failureReason({ status }) {
  return { disabled: 'endpoint_disabled', deleted: 'endpoint_deleted' }[status] ?? null;
}
