import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Client, type AdminRequest } from '../../http/pipeline/request-state.js';
import { AdminRoute } from '../../http/routes/route.js';
import type { EventStream } from '../../http/server-sent-events/event-stream.js';
import { StreamPlaces } from '../../http/server-sent-events/stream-places.js';
import { SessionStreams } from '../session-streams.js';
import { LogFeed } from './log-feed.js';
import { LogLineResource } from './log-line.resource.js';
import { LOG_FILTERS, readLogQuery } from './log-query.js';

/** The log of events. */
@ApiTags('Installation')
@Controller('admin/v1/log')
export class LogController {
  private readonly places = new StreamPlaces({ most: 20, mostOfOwner: 4, retryAfterSeconds: 10 });

  constructor(
    private readonly streams: SessionStreams,
    private readonly feed: LogFeed,
  ) {}

  @Get()
  @AdminRoute({
    name: 'readLog',
    summary: 'Read the log of events, a line of JSON for each',
    about:
      'Events come whole and in order, as fast as they are read and as a quarter of a processor core for all readers allows. The answer ends with the session, and when the process ends, also where there is more: go on after the last `position` until nothing comes. At most four are open for a session, and 20 on a gateway: beyond that it is refused with 503 and `Retry-After`.',
    filters: LOG_FILTERS,
    answers: [{ status: 200, description: 'The events.', resource: LogLineResource, stream: 'application/x-ndjson' }],
    errors: ['parameter_invalid'],
  })
  async read(@Client() { query, headers }: AdminRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EventStream> {
    const wanted = readLogQuery(query);
    return this.streams.open(headers, this.places, () => this.feed.begin(reply, wanted));
  }
}
