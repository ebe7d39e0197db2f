import { Controller, Get, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetTranscript } from '@application/conversations/conversation.commands';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ROLES } from '@domain/kernel/role';
import type { ClientRequest } from '../http/pipeline/controller-requests.js';
import { oneOf, readFilter, timeRange, type Filters } from '../http/paging/list-filters.js';
import { readTimedPage } from '../http/paging/list-page.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { MessageResource, SentMessageResource, toMessageResource, toSentMessageResource } from './message.resource.js';
import { PostMessageDto, SendMessageDto } from './messages.dto.js';

const SENT = { status: 200, description: "The stored message with the agent's reply.", resource: SentMessageResource } as const;
const REFUSALS: readonly ErrorCode[] = [
  'parameter_missing',
  'parameter_too_long',
  'conversation_handed_off',
  'agent_unavailable',
  'reply_timeout',
];
const FILTERS: Filters = {
  role: oneOf('Only messages of this role.', 'role', ROLES),
  created_at: timeRange('When it was written.', 'createdAt'),
};

@ApiTags('Messages')
@Controller('v1')
export class MessagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post('messages')
  @Route({
    scope: 'conversations:write',
    rate: 'messages',
    summary: "Send a message by the client's thread id",
    body: SendMessageDto,
    answers: [SENT],
    openAnswers: true,
    errors: [...REFUSALS, 'phone_invalid_format', 'email_invalid_format', 'metadata_invalid', 'metadata_too_large'],
  })
  async send(@Req() { body, caller, origin }: ClientRequest<SendMessageDto>): Promise<SentMessageResource> {
    return toSentMessageResource(await this.commands.execute(body.toCommand(origin, caller.replyWindowMs)));
  }

  @Post('conversations/:id/messages')
  @Route({
    scope: 'conversations:write',
    rate: 'messages',
    summary: 'Send a message to a conversation',
    body: PostMessageDto,
    answers: [SENT],
    openAnswers: true,
    errors: [...REFUSALS, 'conversation_ended', 'resource_missing'],
  })
  async post(@Req() { body, caller, origin, params }: ClientRequest<PostMessageDto>): Promise<SentMessageResource> {
    const command = body.toCommand(origin, params['id'] ?? '', caller.replyWindowMs);
    return toSentMessageResource(await this.commands.execute(command));
  }

  @Get('conversations/:id/messages')
  @ListRoute({
    scope: 'conversations:read',
    name: 'listMessages',
    summary: 'Read the transcript of a conversation',
    filters: FILTERS,
    resource: MessageResource,
    kind: 'message',
    first: 'oldest',
    errors: ['resource_missing'],
  })
  async transcript(@Req() { caller, params, query }: ClientRequest): Promise<ListResource<MessageResource>> {
    readFilter(query, FILTERS);
    const role = ROLES.find((each) => each === query['role']) ?? null;
    const page = new GetTranscript(caller.projectId, params['id'] ?? '', readTimedPage(query, 'asc'), role);
    return toList(await this.queries.execute(page), toMessageResource);
  }
}
