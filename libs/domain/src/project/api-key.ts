import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import type { ApiKeyCreated, SecretTrace } from './project.events.js';
import type { Scope } from './scope.js';

export interface ApiKey extends SecretTrace {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  /** When it ends: by its own limit, or before it by the grace of a rotation. */
  readonly expiresAt: number | null;
  /** Its own limit, which its successors inherit. */
  readonly ownExpiresAt: number | null;
  readonly revokedAt: number | null;
  /** The key that took its place. */
  readonly successorId: string | null;
}

export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

/** How many keys of a project may live at a time, and how many more be in their grace after a rotation. */
export const MOST_LIVE_KEYS = 50;
const MOST_KEYS_IN_GRACE = 50;

/** At `now`, in epoch milliseconds; what was revoked stays so when it expires. */
export function statusOf({ revokedAt, expiresAt }: ApiKey, now: number): ApiKeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

export function createdKey({ keyId, name, scopes, expiresAt, prefix, secretHash, at }: ApiKeyCreated): ApiKey {
  const since = { createdAt: at, expiresAt, ownExpiresAt: expiresAt, revokedAt: null, successorId: null };
  return { id: keyId, name, scopes, prefix, secretHash, ...since };
}

/** Throws `resource_missing`; a revoked key is found. */
export function knownKey(keys: readonly ApiKey[], keyId: string): ApiKey {
  const key = keys.find(({ id }) => id === keyId);
  if (!key) throw resourceMissing('API key', 'key_id');
  return key;
}

/** A revoked key is only history: it takes no change. */
export function unrevokedKey(keys: readonly ApiKey[], keyId: string): ApiKey {
  const key = knownKey(keys, keyId);
  if (key.revokedAt !== null) throw resourceMissing('API key', 'key_id');
  return key;
}

/** What has ended has no successor: it would outlive its limit. */
export function livingKey(keys: readonly ApiKey[], keyId: string, now: number): ApiKey {
  const key = unrevokedKey(keys, keyId);
  if (statusOf(key, now) === 'active') return key;
  const message = 'This API key has expired. Give it a later expires_at first, or issue another.';
  throw new DomainError('parameter_invalid', message, { param: 'id' });
}

/** Throws `limit_exceeded` when beside these there is no room for another (api-contract §10). */
export function refuseOneTooMany(others: readonly ApiKey[], now: number): void {
  const live = others.filter((key) => statusOf(key, now) === 'active' && !isInGrace(key, now));
  if (live.length < MOST_LIVE_KEYS) return;
  throw new DomainError('limit_exceeded', `A project has at most ${MOST_LIVE_KEYS} live API keys. Revoke one first.`);
}

/** Throws `limit_exceeded` when beside these there is no room for another that is rotated and goes on for a while. */
export function refuseOneInGraceTooMany(others: readonly ApiKey[], now: number): void {
  if (others.filter((key) => isInGrace(key, now)).length < MOST_KEYS_IN_GRACE) return;
  const message = `A project has at most ${MOST_KEYS_IN_GRACE} rotated API keys in their grace. Revoke one first, or rotate without grace.`;
  throw new DomainError('limit_exceeded', message);
}

function isInGrace(key: ApiKey, now: number): boolean {
  return key.successorId !== null && statusOf(key, now) === 'active';
}
