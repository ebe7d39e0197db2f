import { Injectable } from '@nestjs/common';
import { issueDecider, type IssueCommand, type SubjectIssues } from '@domain/issue/issue.decider';
import type { IssueEvent } from '@domain/issue/issue.events';
import type { IssueKind } from '@domain/issue/issue-kinds';
import type { Envelope } from '@domain/kernel/envelope';
import { StreamRunner, type Ran, type Timed } from '../streams/stream-runner.js';

/** A kind of issue and its subject: their issues share one stream, so that one is open at most. */
export interface IssuePlace {
  readonly kind: IssueKind;
  readonly subjectId: string;
}

@Injectable()
export class IssueDirectory {
  constructor(private readonly streams: StreamRunner) {}

  run(
    place: IssuePlace,
    command: Timed<IssueCommand>,
    envelope: Envelope,
    commandId?: string,
  ): Promise<Ran<SubjectIssues, IssueEvent>> {
    return this.streams.run(issueStream(place), issueDecider, command, envelope, { commandId });
  }
}

export function issueStream({ kind, subjectId }: IssuePlace): string {
  return `issue-${kind}-${subjectId}`;
}
