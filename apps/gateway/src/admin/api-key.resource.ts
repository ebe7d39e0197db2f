import { ApiSchema } from '@nestjs/swagger';
import type { IssuedKey } from '@application/projects/project.commands';
import { statusOf, type ApiKey } from '@domain/project/api-key';
import { SCOPES } from '@domain/project/scope';
import { toTime } from '@application/read-models/time.resource';
import { idOf, KindMember, Member, one, TEXT, TIME, TIME_OR_NULL } from '../http/docs/schemas.resource.js';
import { withMeanings } from '../http/docs/with-meanings.js';

type Status = ReturnType<typeof statusOf>;

const STATUS: Readonly<Record<Status, string>> = {
  active: 'it opens what its scopes say.',
  expired: 'its time is over.',
  revoked: 'an administrator ended it.',
};

interface KeyFacts {
  readonly projectId: string;
  readonly key: ApiKey;
  readonly lastUsedAt: number | null;
}

@ApiSchema({ description: 'An API key of a project, without its secret.' })
export class ApiKeyResource {
  @Member(idOf('apiKey'), 'Names the key.') id!: string;
  @KindMember('api_key') object!: 'api_key';
  @Member(idOf('project'), 'The project that it opens.') project_id!: string;
  @Member(TEXT, 'What people call it.') name!: string;
  @Member(TEXT, 'The beginning of its secret, to tell it from others.') prefix!: string;
  @Member({ type: 'array', items: { type: 'string', enum: [...SCOPES] } }, 'What it may do.') scopes!: readonly string[];
  @Member(one(...Object.keys(STATUS)), withMeanings('Whether it works.', STATUS)) status!: Status;
  @Member(TIME, 'When it was made.') created_at!: string;
  @Member(TIME_OR_NULL, 'When it ends; null for never.') expires_at!: string | null;
  @Member(TIME_OR_NULL, 'When it was last used, to within a few minutes; null for never.') last_used_at!: string | null;
}

@ApiSchema({ description: 'A new API key, with its secret, which is shown this once.' })
export class IssuedApiKeyResource extends ApiKeyResource {
  @Member(TEXT, 'For `Authorization: Bearer <secret>`.') secret!: string;
}

export function toApiKeyResource({ projectId, key, lastUsedAt }: KeyFacts, now: number): ApiKeyResource {
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

/** The only answer that contains the key's secret. */
export function toIssuedKeyResource({ projectId, key, secret }: IssuedKey, now: number): IssuedApiKeyResource {
  return { ...toApiKeyResource({ projectId, key, lastUsedAt: null }, now), secret };
}
