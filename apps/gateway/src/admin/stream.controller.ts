import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { GetProject } from '@application/projects/project.commands';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { exactly, readFilter, type Filters } from '../http/paging/list-filters.js';
import { Client, type AdminRequest } from '../http/pipeline/request-state.js';
import { AdminRoute } from '../http/routes/route.js';
import type { EventStream } from '../http/server-sent-events/event-stream.js';
import { StreamPlaces } from '../http/server-sent-events/stream-places.js';
import { ChangedResource } from './changed.resource.js';
import { LiveChanges } from './live-changes.js';
import { SessionStreams } from './session-streams.js';

const FILTERS: Filters = {
  project_id: exactly('The project whose changes are told; required.', 'projectId'),
  last_event_id: exactly('The `id` to go on after, where a client cannot send `Last-Event-ID`.', 'position'),
};

/** What changes in a project, as server-sent events. */
@ApiTags('Projects')
@Controller('admin/v1/stream')
export class StreamController {
  private readonly places = new StreamPlaces({ most: 200, mostOfOwner: 4, retryAfterSeconds: 10 });

  constructor(
    private readonly queries: QueryBus,
    private readonly streams: SessionStreams,
    private readonly changes: LiveChanges,
  ) {}

  @Get()
  @AdminRoute({
    name: 'streamChanges',
    summary: 'Follow what changes in a project, as server-sent events',
    about:
      'Events named `changed`, each with the data below and the position of the change as its `id`; several changes of one resource within a quarter of a second are one. `Last-Event-ID` or `last_event_id` goes on after a position; where that is too long ago there is an event `reset`. The stream ends with the session. At most four are open for a session, and 200 on a gateway: beyond that it is refused with 503 and `Retry-After`.',
    filters: FILTERS,
    answers: [{ status: 200, description: 'A stream that stays open.', resource: ChangedResource, stream: 'text/event-stream' }],
    errors: ['parameter_missing', 'resource_missing'],
  })
  async open(@Client() { query, headers }: AdminRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EventStream> {
    readFilter(query, FILTERS);
    const projectId = await this.knownProject(query['project_id']);
    const last = headers['last-event-id'] ?? query['last_event_id'];
    const since = typeof last === 'string' && last !== '' ? last : null;
    return this.streams.open(headers, this.places, () => this.changes.begin(reply, projectId, since));
  }

  private async knownProject(projectId: unknown): Promise<string> {
    if (typeof projectId !== 'string' || projectId === '') {
      throw new DomainError('parameter_missing', 'Name the project whose changes you want.', { param: 'project_id' });
    }
    await this.queries.execute(new GetProject(projectId)).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'resource_missing') throw resourceMissing('project', 'project_id');
      throw error;
    });
    return projectId;
  }
}
