import type { RequestContext } from '@application/runtime/request-context';
import { ChangeProject, IssueApiKey, RotateApiKey } from '@application/projects/project.commands';
import { SCOPES, type Scope } from '@domain/project/scope';
import { TextField } from '../http/fields/fields.js';
import { GraceField, InstantField, readGrace, readInstant } from '../http/fields/value-fields.js';
import { NAME, ScopesField } from './admin-fields.js';

export class CreateApiKeyDto {
  @TextField({ ...NAME, required: true }) name!: string;
  @ScopesField({ description: 'What the key may do: all scopes when left out.' }) scopes?: readonly Scope[] | null;
  @InstantField({ description: 'When it expires: ISO 8601 with an offset. Never when not given.' }) expires_at?: string | null;

  toCommand(context: RequestContext, projectId: string): IssueApiKey {
    const { name, scopes, expires_at: expiresAt } = this;
    return new IssueApiKey(context, projectId, {
      name,
      scopes: inOrder(scopes ?? SCOPES),
      expiresAt: readInstant(expiresAt) ?? null,
    });
  }
}

export class UpdateApiKeyDto {
  @TextField(NAME) name?: string | null;
  @ScopesField({ description: 'What the key may do from now on, instead of what it might.' }) scopes?: readonly Scope[] | null;
  @InstantField({ description: 'When it expires: ISO 8601 with an offset; null for never.' }) expires_at?: string | null;

  toCommand(context: RequestContext, projectId: string, keyId: string): ChangeProject {
    const { name, scopes, expires_at: expiresAt } = this;
    const changes = {
      ...(typeof name === 'string' && { name }),
      ...(scopes && { scopes: inOrder(scopes) }),
      ...(expiresAt !== undefined && { expiresAt: readInstant(expiresAt) ?? null }),
    };
    return new ChangeProject(context, projectId, { type: 'UpdateApiKey', keyId, changes });
  }
}

export class RotateApiKeyDto {
  @GraceField('For how many seconds the old key works on, up to a week; a day when not given.')
  grace_period_seconds?: number | null;

  toCommand(context: RequestContext, projectId: string, keyId: string): RotateApiKey {
    return new RotateApiKey(context, projectId, keyId, readGrace(this.grace_period_seconds));
  }
}

function inOrder(scopes: readonly Scope[]): readonly Scope[] {
  return SCOPES.filter((scope) => scopes.includes(scope));
}
