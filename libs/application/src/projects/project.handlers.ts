import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { projectDecider, type Project } from '@domain/project/project.decider';
import type { ProjectEvent } from '@domain/project/project.events';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { idFor, type RequestContext } from '../runtime/request-context.js';
import { findEvent } from '../streams/stream-records.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { KeyIssue } from './key-issue.js';
import { ProjectDirectory, projectStream } from './project-directory.js';
import { ChangeProject, CreateProject, GetProject, IssueApiKey, RotateApiKey, type IssuedKey } from './project.commands.js';

@CommandHandler(CreateProject)
export class CreateProjectHandler implements ICommandHandler<CreateProject> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async execute({ context, name }: CreateProject): Promise<Project> {
    const projectId = idFor(this.ids, context, 'project', 'project');
    const create = { type: 'CreateProject', at: this.clock.now(), projectId, name } as const;
    const { commandId, envelope } = context;
    return (await this.streams.run(projectStream(projectId), projectDecider, create, envelope, { commandId })).state;
  }
}

@CommandHandler(ChangeProject)
export class ChangeProjectHandler implements ICommandHandler<ChangeProject> {
  constructor(
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
  ) {}

  async execute({ context, projectId, change }: ChangeProject): Promise<Project> {
    if (!isId('project', projectId)) throw resourceMissing('project');
    const { commandId, envelope } = context;
    const stream = projectStream(projectId);
    if (context.isRetry && (await this.hasRun(stream, context))) return (await this.streams.load(stream, projectDecider)).state;
    const command = { ...change, commandId, at: this.clock.now() };
    return (await this.streams.run(stream, projectDecider, command, envelope, { commandId })).state;
  }

  private async hasRun(stream: string, { commandId, startedAt }: RequestContext): Promise<boolean> {
    const isIt = (event: ProjectEvent) => 'commandId' in event && event.commandId === commandId;
    return (await findEvent(this.streams.history<ProjectEvent>(stream, startedAt), isIt)) !== null;
  }
}

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey> {
  constructor(private readonly issue: KeyIssue) {}

  execute({ context, projectId, terms }: IssueApiKey): Promise<IssuedKey> {
    return this.issue.run(context, projectId, (keyId, fingerprint) => ({
      type: 'IssueApiKey',
      terms: { keyId, ...terms },
      fingerprint,
    }));
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(private readonly issue: KeyIssue) {}

  execute({ context, projectId, keyId, graceMs }: RotateApiKey): Promise<IssuedKey> {
    return this.issue.run(context, projectId, (successorId, fingerprint) => ({
      type: 'RotateApiKey',
      keyId,
      graceMs,
      successorId,
      fingerprint,
    }));
  }
}

@QueryHandler(GetProject)
export class GetProjectHandler implements IQueryHandler<GetProject> {
  constructor(private readonly directory: ProjectDirectory) {}

  execute({ projectId }: GetProject): Promise<Project> {
    return this.directory.load(projectId);
  }
}
