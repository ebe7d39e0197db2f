import { Body, Controller, Get, Patch, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { GetConversation } from '@application/conversations/conversation.commands';
import {
  conversationsProjection,
  toConversation,
  type ConversationRow,
} from '@application/conversations/state/conversations.projection';
import type { Page, PageRequest } from '@application/paging/page';
import { ListTexts } from '@application/read-models/list-texts.query';
import { asOf, idledOutSince } from '@domain/conversation/conversation';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { JsonText } from '@domain/kernel/json-text';
import { Clock } from '@ports/clock.port';
import type { Condition, Filter, ListedRow, StoredRow } from '@ports/read-models.port';
import { Settings } from '@ports/settings.port';
import { readFilter } from '../http/paging/list-filters.js';
import { shownBy, toListText } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { readWait } from '../http/server-sent-events/read-wait.js';
import { asRead, WaitingLists } from '../http/server-sent-events/waiting-lists.js';
import { CONVERSATION_FILTERS, idledOut, withIdleEnds } from './conversation-filters.js';
import { ConversationResource, toConversationResource } from './conversation.resource.js';
import {
  CreateConversationDto,
  EndConversationDto,
  HandOffConversationDto,
  ResumeConversationDto,
  UpdateConversationDto,
} from './conversations.dto.js';
import { also, isOfHandoffs, settledHandoffs } from './settled-handoffs.js';

const CONVERSATION = { status: 200, description: 'The conversation as it is now.', resource: ConversationResource } as const;

const DESCRIBED: readonly ErrorCode[] = [
  'parameter_missing',
  'parameter_too_long',
  'phone_invalid_format',
  'email_invalid_format',
  'metadata_invalid',
  'metadata_too_large',
  'time_range_invalid',
];

@ApiTags('Conversations')
@Controller('v1/conversations')
export class ConversationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly waiting: WaitingLists,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  @Post()
  @Route({
    scope: 'conversations:write',
    rate: 'write',
    summary: 'Create a conversation',
    about: 'For a conversation without a thread id, or before its first message. `POST /v1/messages` creates one by itself.',
    body: CreateConversationDto,
    answers: [{ ...CONVERSATION, status: 201, description: 'A new conversation was created.' }],
    errors: [...DESCRIBED, 'external_id_taken'],
  })
  async create(@Client() { context }: ClientRequest, @Body() body: CreateConversationDto): Promise<ConversationResource> {
    return toConversationResource(await this.commands.execute(body.toCommand(context)));
  }

  @Get()
  @ListRoute({
    scope: 'conversations:read',
    summary: 'List conversations',
    about:
      'With `wait` the answer comes as soon as there is a conversation to show, else after that time with an empty page. `status=handed_off` with `wait` and `handed_off_at[gt]=` the newest `handed_off_at` of the previous page tells of every hand-off, within a second of it.',
    filters: CONVERSATION_FILTERS,
    resource: ConversationResource,
    kind: 'conversation',
  })
  async list(@Client() { caller, query }: ClientRequest, @Req() request: FastifyRequest): Promise<JsonText> {
    const filter = readFilter(query, CONVERSATION_FILTERS);
    const wait = { waitMs: readWait(query), caller, object: 'conversation' } as const;
    const page = readPage(query);
    const read = (upTo?: Condition) => this.page(caller.projectId, upTo ? also(upTo, filter) : filter, page);
    const listed = wait.waitMs > 0 && isOfHandoffs(query) ? settledHandoffs(this.clock, read) : () => read().then(asRead);
    const list = await this.waiting.filled(request, wait, listed);
    const now = this.clock.now();
    const { conversationIdleMs } = this.settings;
    const toResource = (stored: StoredRow<ConversationRow>) =>
      toConversationResource(asOf(toConversation(stored.id, stored), now, conversationIdleMs));
    return toListText(list, shownBy(toResource));
  }

  @Get(':id')
  @Route({
    scope: 'conversations:read',
    rate: 'read',
    summary: 'Retrieve a conversation',
    answers: [CONVERSATION],
    errors: ['resource_missing'],
  })
  async get(@Client() { caller, params }: ClientRequest): Promise<ConversationResource> {
    return toConversationResource(await this.queries.execute(new GetConversation(caller.projectId, params['id'] ?? '')));
  }

  @Patch(':id')
  @Route({
    scope: 'conversations:write',
    rate: 'write',
    summary: 'Change a conversation',
    about:
      'Links a customer who was not known at the start, once; sets other metadata or another time zone. The agent is told it from the next message on. Appointments that were booked for nobody stay as they are.',
    body: UpdateConversationDto,
    example: { customer: { phone: '+4915112345678' }, time_zone: 'Europe/Berlin' },
    answers: [CONVERSATION],
    errors: [...DESCRIBED, 'customer_already_linked', 'conversation_ended', 'resource_missing'],
  })
  async update(@Client() { context, params }: ClientRequest, @Body() body: UpdateConversationDto): Promise<ConversationResource> {
    return toConversationResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/handoff')
  @Route({
    scope: 'conversations:write',
    rate: 'write',
    summary: 'Hand a conversation over to a human',
    about:
      'From now on the agent answers no message, until the conversation is given back by `POST …/resume`. Handing over again changes nothing. A reply that the agent is writing is still stored.',
    body: HandOffConversationDto,
    answers: [CONVERSATION],
    errors: ['parameter_too_long', 'conversation_ended', 'resource_missing'],
  })
  async handOff(
    @Client() { context, params }: ClientRequest,
    @Body() body: HandOffConversationDto,
  ): Promise<ConversationResource> {
    return toConversationResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/resume')
  @Route({
    scope: 'conversations:write',
    rate: 'write',
    summary: 'Give a conversation back to the agent',
    about:
      'The agent answers the next message, and is told what was said meanwhile and by whom; messages that were kept get no late reply. Giving back what the agent has changes nothing.',
    body: ResumeConversationDto,
    answers: [CONVERSATION],
    errors: ['parameter_too_long', 'conversation_ended', 'resource_missing'],
  })
  async resume(@Client() { context, params }: ClientRequest, @Body() body: ResumeConversationDto): Promise<ConversationResource> {
    return toConversationResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Post(':id/end')
  @Route({
    scope: 'conversations:write',
    rate: 'write',
    summary: 'End a conversation',
    about:
      'It ends for good, also while it is handed off; ending an ended one changes nothing. The next message to its thread id begins a new conversation.',
    body: EndConversationDto,
    answers: [CONVERSATION],
    errors: ['parameter_too_long', 'resource_missing'],
  })
  async end(@Client() { context, params }: ClientRequest, @Body() body: EndConversationDto): Promise<ConversationResource> {
    return toConversationResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  private page(projectId: string, filter: Filter, page: PageRequest): Promise<Page<ListedRow<ConversationRow>>> {
    const since = idledOutSince(this.clock.now(), this.settings.conversationIdleMs);
    const options = { outdated: idledOut(since) };
    return this.queries.execute(new ListTexts(conversationsProjection, projectId, withIdleEnds(filter, since), page, options));
  }
}
