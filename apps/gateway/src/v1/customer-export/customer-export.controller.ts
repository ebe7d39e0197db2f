import { Controller, Get, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { GetCustomer } from '@application/customers/customer.commands';
import { Client, type ClientRequest } from '../../http/pipeline/request-state.js';
import { Route } from '../../http/routes/route.js';
import { placeOwner } from '../../http/server-sent-events/stream-places.js';
import type { EventStream } from '../../http/server-sent-events/event-stream.js';
import { CustomerExportResource } from './customer-export.resource.js';
import { CustomerExports, MAX_EXPORTS, MAX_EXPORTS_OF_PROJECT } from './customer-exports.js';

@ApiTags('Customers')
@Controller('v1/customers/:id/export')
export class CustomerExportController {
  constructor(
    private readonly queries: QueryBus,
    private readonly exports: CustomerExports,
  ) {}

  @Get()
  @Route({
    scope: 'customers:read',
    rate: 'read',
    name: 'exportCustomer',
    summary: 'Export everything that is kept about a customer, a deleted one included',
    about: `One JSON object of any size, made while it is read: conversations with their messages, calls with what was said, appointments with their history, and the events of the last 30 days, all oldest first, whatever other scopes the key has. Where the service fails or ends meanwhile the connection is broken off: only a body that is whole JSON is a whole export. At most ${MAX_EXPORTS_OF_PROJECT} are under way for a project, and ${MAX_EXPORTS} on a gateway: beyond that it is refused with 503 and \`Retry-After\`.`,
    answers: [{ status: 200, description: 'Everything that is kept about the customer.', resource: CustomerExportResource }],
    errors: ['resource_missing'],
  })
  async export(
    @Client() { caller, params }: ClientRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<EventStream> {
    const customer = await this.queries.execute(new GetCustomer(caller.projectId, params['id'] ?? ''));
    return this.exports.begin(reply, customer, placeOwner(caller));
  }
}
