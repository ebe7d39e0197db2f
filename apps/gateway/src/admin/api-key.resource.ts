import type { IssuedKey } from '@application/projects/project.commands';
import { statusOf, type ApiKey } from '@domain/project/api-key';
import { toTime } from '@application/read-models/time.resource';

interface KeyFacts {
  readonly projectId: string;
  readonly key: ApiKey;
  readonly lastUsedAt: number | null;
}

/** An API key without its secret. */
export function toApiKeyResource({ projectId, key, lastUsedAt }: KeyFacts, now: number) {
  const { id, name, prefix, scopes, createdAt, expiresAt } = key;
  return {
    id,
    object: 'api_key',
    project_id: projectId,
    name,
    prefix,
    scopes,
    status: statusOf(key, now),
    created_at: toTime(createdAt),
    expires_at: toTime(expiresAt),
    last_used_at: toTime(lastUsedAt),
  };
}

/** A key that was just issued: the only answer that contains its secret. */
export function toIssuedKeyResource({ projectId, key, secret }: IssuedKey, now: number) {
  return { ...toApiKeyResource({ projectId, key, lastUsedAt: null }, now), secret };
}
