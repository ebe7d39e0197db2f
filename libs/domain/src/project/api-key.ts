import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import type { ApiKeyCreated, SecretFingerprint } from './project.events.js';
import type { Scope } from './scope.js';

export interface ApiKey extends SecretFingerprint {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  /** When the key expires: at its own limit, or earlier after a rotation. */
  readonly expiresAt: number | null;
  readonly ownExpiresAt: number | null;
  readonly revokedAt: number | null;
  readonly successorId: string | null;
}

export type ApiKeyStatus = 'active' | 'expired' | 'revoked';

/** Live keys per project, not counting those in the grace period of a rotation. */
export const MAX_LIVE_KEYS = 50;
const MAX_KEYS_IN_GRACE = 50;

/** `now` in epoch milliseconds. A revoked key stays revoked when it expires. */
export function statusOf({ revokedAt, expiresAt }: ApiKey, now: number): ApiKeyStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

export function createdKey({ keyId, name, scopes, expiresAt, prefix, secretHash, at }: ApiKeyCreated): ApiKey {
  const since = { createdAt: at, expiresAt, ownExpiresAt: expiresAt, revokedAt: null, successorId: null };
  return { id: keyId, name, scopes, prefix, secretHash, ...since };
}

/** Throws `resource_missing` for an unknown key; finds revoked ones. */
export function knownKey(keys: readonly ApiKey[], keyId: string): ApiKey {
  const key = keys.find(({ id }) => id === keyId);
  if (!key) throw resourceMissing('API key', 'key_id');
  return key;
}

export function unrevokedKey(keys: readonly ApiKey[], keyId: string): ApiKey {
  const key = knownKey(keys, keyId);
  if (key.revokedAt !== null) throw resourceMissing('API key', 'key_id');
  return key;
}

/** An expired key cannot be rotated: its successor would outlive its limit. */
export function livingKey(keys: readonly ApiKey[], keyId: string, now: number): ApiKey {
  const key = unrevokedKey(keys, keyId);
  if (statusOf(key, now) === 'active') return key;
  const message = 'This API key has expired. Give it a later expires_at first, or issue another.';
  throw new DomainError('parameter_invalid', message, { param: 'id' });
}

/** Throws `limit_exceeded` if the others fill the limit of live keys. */
export function refuseOneTooMany(others: readonly ApiKey[], now: number): void {
  const live = others.filter((key) => statusOf(key, now) === 'active' && !isInGrace(key, now));
  if (live.length < MAX_LIVE_KEYS) return;
  throw new DomainError('limit_exceeded', `A project has at most ${MAX_LIVE_KEYS} live API keys. Revoke one first.`);
}

/** Throws `limit_exceeded` if the others fill the limit of keys in a grace period. */
export function refuseOneInGraceTooMany(others: readonly ApiKey[], now: number): void {
  if (others.filter((key) => isInGrace(key, now)).length < MAX_KEYS_IN_GRACE) return;
  const message = `A project has at most ${MAX_KEYS_IN_GRACE} rotated API keys in their grace. Revoke one first, or rotate without grace.`;
  throw new DomainError('limit_exceeded', message);
}

function isInGrace(key: ApiKey, now: number): boolean {
  return key.successorId !== null && statusOf(key, now) === 'active';
}
