import { Command, Query } from '@nestjs/cqrs';
import type { ApiKey } from '@domain/project/api-key';
import type { Project, ProjectCommand } from '@domain/project/project.decider';
import type { ApiKeyTerms } from '@domain/project/project.events';
import type { RequestContext } from '../runtime/request-context.js';

export type Untimed<Change> = Change extends unknown ? Omit<Change, 'at' | 'commandId'> : never;

export type ProjectChange = Untimed<Extract<ProjectCommand, { type: 'UpdateProject' | 'UpdateApiKey' | 'RevokeApiKey' }>>;

export class CreateProject extends Command<Project> {
  constructor(
    readonly context: RequestContext,
    readonly name: string,
  ) {
    super();
  }
}

export class ChangeProject extends Command<Project> {
  constructor(
    readonly context: RequestContext,
    readonly projectId: string,
    readonly change: ProjectChange,
  ) {
    super();
  }
}

export interface IssuedKey {
  readonly projectId: string;
  readonly key: ApiKey;
  readonly secret: string;
}

/** Refuses with `limit_exceeded` beyond the limit of live keys per project. */
export class IssueApiKey extends Command<IssuedKey> {
  constructor(
    readonly context: RequestContext,
    readonly projectId: string,
    readonly terms: Omit<ApiKeyTerms, 'keyId'>,
  ) {
    super();
  }
}

/** The old key remains valid for the grace period. */
export class RotateApiKey extends Command<IssuedKey> {
  constructor(
    readonly context: RequestContext,
    readonly projectId: string,
    readonly keyId: string,
    readonly graceMs: number,
  ) {
    super();
  }
}

export class GetProject extends Query<Project> {
  constructor(readonly projectId: string) {
    super();
  }
}
