import { Command, Query } from '@nestjs/cqrs';
import type { ApiKey } from '@domain/project/api-key';
import type { Project, ProjectCommand } from '@domain/project/project.decider';
import type { ApiKeyTerms } from '@domain/project/project.events';
import type { RequestContext } from '../runtime/request-context.js';

/** A command before it is known when, and for which request, it runs. */
export type Untimed<Change> = Change extends unknown ? Omit<Change, 'at' | 'commandId'> : never;

/** What changes a project and nothing beside it. */
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

/** A key with its secret, which is told here and never again. */
export interface IssuedKey {
  readonly projectId: string;
  readonly key: ApiKey;
  readonly secret: string;
}

/** Refuses with `limit_exceeded` beyond the project's share of live keys. */
export class IssueApiKey extends Command<IssuedKey> {
  constructor(
    readonly context: RequestContext,
    readonly projectId: string,
    readonly terms: Omit<ApiKeyTerms, 'keyId'>,
  ) {
    super();
  }
}

/** Replaces a key by a new one; the old one works on for the grace. */
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
