import { Injectable } from '@nestjs/common';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import type { Recorded } from '@ports/event-store.port';
import { idIn } from '@ports/stream-category';
import { causedBy } from '../../runtime/caused-by.js';
import type { Reactor } from '../../runtime/reactor.js';
import { IssueJudge } from './issue-judge.js';
import { KnownEndpoints } from './known-endpoints.js';
import { stopOf, type StopKind } from './stopped-endpoints.js';

const CAUSES: Readonly<Record<StopKind, { readonly code: string; readonly message: string }>> = {
  endpoint_paused: { code: 'auto_failing', message: 'The endpoint was paused because it had failed for long.' },
  endpoint_gone: { code: 'gone', message: 'The endpoint was disabled because it answered 410.' },
};

/** Opens an issue where the service itself stopped an endpoint that is still so. */
@Injectable()
export class StoppedEndpointsReactor implements Reactor {
  readonly name = 'stopped-endpoints';
  readonly categories = ['endpoints'];

  constructor(
    private readonly endpoints: KnownEndpoints,
    private readonly judge: IssueJudge,
  ) {}

  partitionKey({ stream, event }: Recorded): string | null {
    return 'endpointId' in event ? stream : null;
  }

  async handle(events: readonly Recorded[]): Promise<void> {
    for (const record of events as readonly Recorded<EndpointEvent>[]) await this.look(record);
  }

  private async look(record: Recorded<EndpointEvent>): Promise<void> {
    const [projectId, subjectId] = [idIn(record.stream), record.event.endpointId];
    const endpoint = await this.endpoints.find(projectId, subjectId);
    const kind = endpoint && stopOf(endpoint);
    if (!kind) return;
    const { at } = record.event;
    const times = { since: at, firstSeenAt: at, lastSeenAt: at, counted: null, countedBefore: null };
    const name = () => this.endpoints.nameOf(projectId, subjectId);
    await this.judge.open(kind, { subjectId, projectId, cause: CAUSES[kind], ...times, name }, causedBy(record));
  }
}
