import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { ListTexts } from '@application/read-models/list-texts.query';
import { GetSession, ListSessionTurns } from '@application/sessions/session.commands';
import { sessionsProjection, toSessionView, type SessionRow } from '@application/sessions/sessions.projection';
import type { JsonText } from '@domain/kernel/json-text';
import { SESSION_DIRECTIONS, SESSION_STATUSES } from '@domain/session/session.events';
import { exactly, idOf, oneOf, readFilter, timeRange, type Filters } from '../http/paging/list-filters.js';
import { shownBy, toList, toListText, type ListResource } from '../http/paging/list.resource.js';
import { readPage, readTimedPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { SessionResource, SessionTurnResource, toSessionResource, toSessionTurnResource } from './session.resource.js';
import { CloseSessionDto, OpenSessionDto, SessionTurnDto } from './sessions.dto.js';
import { DIRECTION, SESSION_STATUS } from './meanings.js';
import { withMeanings } from '../http/docs/with-meanings.js';

const SESSION = { status: 200, description: 'The call as it is now.', resource: SessionResource } as const;
const FILTERS: Filters = {
  status: oneOf(withMeanings('Only calls in this status.', SESSION_STATUS), 'status', SESSION_STATUSES),
  customer_id: idOf('customer', 'Only calls with this customer.', 'customerId'),
  conversation_id: idOf('conversation', 'Only calls that belong to this conversation.', 'conversationId'),
  direction: oneOf(withMeanings('Only calls in this direction.', DIRECTION), 'direction', SESSION_DIRECTIONS),
  external_id: exactly("Only calls with this id of the telephony's.", 'externalId'),
  created_at: timeRange('Only calls opened', 'createdAt'),
  started_at: timeRange('Only calls that began', 'startedAt'),
};
const TURN_FILTERS: Filters = { created_at: timeRange('Only what was added', 'createdAt') };

const SHOWN = shownBy<SessionRow>((stored) => toSessionResource(toSessionView(stored)));

@ApiTags('Sessions')
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Route({
    scope: 'agent',
    rate: 'write',
    summary: 'Open a call, or answer the open one with this external_id',
    body: OpenSessionDto,
    example: { external_id: 'CA9f', direction: 'inbound', from: '+4915112345678', customer: { phone: '+4915112345678' } },
    answers: [
      { ...SESSION, status: 201, description: 'A new call was opened.' },
      { ...SESSION, description: 'A call with this `external_id` is open already.' },
    ],
    refers: 'conversation_id',
    errors: [
      ...(['parameter_missing', 'parameter_too_long', 'phone_invalid_format', 'email_invalid_format'] as const),
      ...(['metadata_invalid', 'metadata_too_large', 'resource_missing'] as const),
    ],
  })
  async open(
    @Client() { context }: ClientRequest,
    @Body() body: OpenSessionDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SessionResource> {
    const { session, created } = await this.commands.execute(body.toCommand(context));
    reply.status(created ? 201 : 200);
    return toSessionResource(session);
  }

  @Get()
  @ListRoute({ scope: 'sessions:read', summary: 'List calls', filters: FILTERS, resource: SessionResource, kind: 'session' })
  async list(@Client() { caller, query }: ClientRequest): Promise<JsonText> {
    const page = new ListTexts(sessionsProjection, caller.projectId, readFilter(query, FILTERS), readPage(query));
    return toListText(await this.queries.execute(page), SHOWN);
  }

  @Get(':id')
  @Route({ scope: 'sessions:read', rate: 'read', summary: 'Retrieve a call', answers: [SESSION], errors: ['resource_missing'] })
  async get(@Client() { caller, params }: ClientRequest): Promise<SessionResource> {
    return toSessionResource(await this.queries.execute(new GetSession(caller.projectId, params['id'] ?? '')));
  }

  @Post(':id/close')
  @Route({
    scope: 'agent',
    rate: 'write',
    summary: 'Close a call; closing a closed one changes nothing',
    about: 'A call that nobody closes is closed after four hours, with `end_reason` `stale`.',
    body: CloseSessionDto,
    answers: [SESSION],
    errors: ['parameter_too_long', 'resource_missing'],
  })
  async close(@Client() { context, params }: ClientRequest, @Body() body: CloseSessionDto): Promise<SessionResource> {
    return toSessionResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/turns')
  @Route({
    scope: 'agent',
    rate: 'write',
    name: 'addSessionTurn',
    summary: "Add to the call's transcript",
    body: SessionTurnDto,
    answers: [{ status: 201, description: 'What was said was added to the transcript.', resource: SessionTurnResource }],
    errors: ['parameter_missing', 'parameter_too_long', 'resource_missing', 'session_closed'],
  })
  async addTurn(@Client() { context, params }: ClientRequest, @Body() body: SessionTurnDto): Promise<SessionTurnResource> {
    return toSessionTurnResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Get(':id/turns')
  @ListRoute({
    scope: 'sessions:read',
    name: 'listSessionTurns',
    summary: "Read a call's transcript",
    filters: TURN_FILTERS,
    resource: SessionTurnResource,
    kind: 'turn',
    first: 'oldest',
    errors: ['resource_missing'],
  })
  async turns(@Client() { caller, params, query }: ClientRequest): Promise<ListResource<SessionTurnResource>> {
    const list = new ListSessionTurns(caller.projectId, params['id'] ?? '', readTimedPage(query, 'asc'));
    return toList(await this.queries.execute(list), toSessionTurnResource);
  }
}
