import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { GetTranscript, type PostedMessage } from '@application/conversations/conversation.commands';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ROLES } from '@domain/kernel/role';
import { replayMarks } from '../http/idempotency/idempotency-record.js';
import { oneOf, readFilter, timeRange, type Filters } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readTimedPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { MessageResource, SentMessageResource, toMessageResource, toSentMessageResource } from './message.resource.js';
import { PostMessageDto, SendMessageDto } from './messages.dto.js';
import { ROLE } from './meanings.js';
import { withMeanings } from '../http/docs/with-meanings.js';

const SENT = {
  status: 200,
  description:
    'The message is stored, and the agent has replied: what to show is `reply.content`. Look at `conversation.status`: after a hand-off or an end no further message is taken.',
  resource: SentMessageResource,
} as const;
const REFUSALS: readonly ErrorCode[] = [
  'parameter_missing',
  'parameter_too_long',
  'conversation_handed_off',
  'agent_unavailable',
  'reply_timeout',
];
const FILTERS: Filters = {
  role: oneOf(withMeanings('Only messages of this role.', ROLE), 'role', ROLES),
  created_at: timeRange('Only messages stored', 'createdAt'),
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
    about:
      'Goes to the conversation that has not ended under the thread id, or to a new one. The answer waits for the reply, 30 s unless set otherwise; after that it is 504 `reply_timeout`, and the same request with the same `Idempotency-Key` gets the reply once it is there. Posts to one conversation are answered one after the other.',
    body: SendMessageDto,
    answers: [SENT],
    openAnswers: true,
    errors: [
      ...REFUSALS,
      'phone_invalid_format',
      'email_invalid_format',
      'metadata_invalid',
      'metadata_too_large',
      'time_range_invalid',
    ],
  })
  async send(
    @Client() request: ClientRequest,
    @Body() body: SendMessageDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SentMessageResource> {
    const { caller, context, warnings } = request;
    const sent = await this.commands.execute(body.toCommand(context, caller.replyWindowMs));
    if (!sent.isNew)
      for (const name of body.ofCreation)
        warnings.add(() => `'${name}' is ignored: the conversation exists already; PATCH /v1/conversations/{id} sets it`);
    return this.answer(sent, request, reply);
  }

  @Post('conversations/:id/messages')
  @Route({
    scope: 'conversations:write',
    rate: 'messages',
    summary: 'Send a message to a conversation',
    about: 'Waits for the reply as `POST /v1/messages` does. A conversation that has ended or was handed off takes none.',
    body: PostMessageDto,
    answers: [SENT],
    openAnswers: true,
    errors: [...REFUSALS, 'conversation_ended', 'resource_missing'],
  })
  async post(
    @Client() request: ClientRequest,
    @Body() body: PostMessageDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SentMessageResource> {
    const { caller, context, params } = request;
    const sent = await this.commands.execute(body.toCommand(context, params['id'] ?? '', caller.replyWindowMs));
    return this.answer(sent, request, reply);
  }

  @Get('conversations/:id/messages')
  @ListRoute({
    scope: 'conversations:read',
    name: 'listMessages',
    summary: 'Read the transcript of a conversation',
    about: 'All messages and replies, oldest first unless `order` says otherwise.',
    filters: FILTERS,
    resource: MessageResource,
    kind: 'message',
    first: 'oldest',
    errors: ['resource_missing'],
  })
  async transcript(@Client() { caller, params, query }: ClientRequest): Promise<ListResource<MessageResource>> {
    readFilter(query, FILTERS);
    const role = ROLES.find((each) => each === query['role']) ?? null;
    const page = new GetTranscript(caller.projectId, params['id'] ?? '', readTimedPage(query, 'asc'), role);
    return toList(await this.queries.execute(page), toMessageResource);
  }

  /**
   * A key whose record has no answer is executed again: its process may have died behind the answer, and versions up to
   * 0.1.0 did not keep every answer. Where the turn was replied to by then, what is answered is a replay of that.
   */
  private answer(sent: PostedMessage, { lock }: Pick<ClientRequest, 'lock'>, reply: FastifyReply): SentMessageResource {
    const originalRequest = sent.answeredBefore ? lock?.originalRequest : null;
    if (originalRequest) void reply.headers(replayMarks(originalRequest));
    return toSentMessageResource(sent);
  }
}
