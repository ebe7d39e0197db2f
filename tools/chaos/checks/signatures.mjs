import { createHmac } from 'node:crypto';
import { groupBy, same } from '../truth.mjs';

const bytesOf = (secret) => Buffer.from(secret.slice('whsec_'.length), 'base64');

/** The current secret, then previous ones within their grace period. */
function signing({ secret, previous }, at) {
  return [secret, ...previous.filter(({ until }) => until > at).map((each) => each.secret)];
}

function signingDuring(version, from, to) {
  const ends = version.previous.map(({ until }) => until).filter((until) => until > from && until <= to);
  return [from, ...ends].map((at) => signing(version, at));
}

function isSignedWith(secrets, { event, body, timestamp, signature, standard }) {
  const hex = secrets.map((secret) => createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'));
  const base64 = secrets.map((secret) =>
    createHmac('sha256', bytesOf(secret)).update(`${event}.${timestamp}.${body}`).digest('base64'),
  );
  const isOurs = signature === [`t=${timestamp}`, ...hex.map((each) => `v1=${each}`)].join(',');
  return isOurs && standard === base64.map((each) => `v1,${each}`).join(' ');
}

function isSigned(post, { started_at: startedAt, delivery }, histories) {
  const from = Date.parse(startedAt);
  const versions = histories.get(delivery.webhook_endpoint_id).atAttempt(from);
  const known = versions.filter(({ secret }) => secret);
  return known.some((version) => signingDuring(version, from, post.receivedAt).some((secrets) => isSignedWith(secrets, post)));
}

export const signatures = {
  'every POST is signed with the present secret of its endpoint, and along with the one before while its grace lasts': (truth) =>
    truth.received
      .filter((post) => !isSigned(post, truth.attempts.get(`${post.delivery} ${post.attempt}`), truth.histories))
      .map(({ delivery, attempt, url, signature }) => `${delivery} ${attempt} to ${url}: ${signature}`),

  'every attempt is signed anew': ({ received, attempts }) =>
    received.flatMap(({ delivery, attempt, timestamp, receivedAt }) => {
      const begun = Math.floor(Date.parse(attempts.get(`${delivery} ${attempt}`).started_at) / 1_000);
      const isNew = begun <= Number(timestamp) && Number(timestamp) <= receivedAt / 1_000;
      return isNew ? [] : [`${delivery} ${attempt}: ${timestamp}, begun at ${begun}, received at ${receivedAt}`];
    }),

  'every POST of an event, replays too, has its id and the same bytes, those that the log shows': (truth) => {
    const published = new Map(truth.events.map(({ delivery_summary: _, ...event }) => [event.id, event]));
    const broken = truth.received
      .filter(({ event, delivery, attempt }) => truth.attempts.get(`${delivery} ${attempt}`).delivery.event_id !== event)
      .map(({ event, delivery }) => `${delivery}: sent as ${event}`);
    for (const [id, posts] of groupBy(truth.received, ({ event }) => event)) {
      if (new Set(posts.map(({ sha }) => sha)).size !== 1) broken.push(`${id}: different bytes`);
      if (!same(JSON.parse(posts[0].body), published.get(id))) broken.push(`${id}: not what the log shows`);
    }
    return broken;
  },
};
