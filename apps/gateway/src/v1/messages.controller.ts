import { Body, Controller, Get, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { GetTranscript, PostAsHuman, type PostedMessage } from '@application/conversations/conversation.commands';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ROLES } from '@domain/kernel/role';
import { oneOf, readFilter, timeRange, type Filters } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readTimedPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import type { EventStream } from '../http/server-sent-events/event-stream.js';
import { MessageAnswers, WAIT } from './message-answers.js';
import { MessageEventResource } from './message-event.resource.js';
import { MessageStatusResource, toMessageStatusResource } from './message-status.resource.js';
import { MessageResource, SentMessageResource, toMessageResource } from './message.resource.js';
import { PostMessageDto, SendMessageDto } from './messages.dto.js';
import { ROLE } from './meanings.js';
import { withMeanings } from '../http/docs/with-meanings.js';

const SENT = {
  status: 200,
  description:
    'The message is stored, and the agent has replied: what to show is `reply.content`. Look at `conversation.status`: after a hand-off or an end no further message is taken. With `Accept: text/event-stream` a stream of server-sent events, see the guide.',
  resource: SentMessageResource,
} as const;
const ACCEPTED = {
  status: 202,
  description:
    'The message is stored, and the reply is not there yet: the client did not want to wait so long. `GET /v1/conversations/{id}/messages/{message_id}` has it later, and so has the same request with the same `Idempotency-Key`.',
  resource: SentMessageResource,
} as const;
const BY_HUMAN = { status: 201, description: 'The message of the human is stored.', resource: MessageResource } as const;
const REFUSALS: readonly ErrorCode[] = [
  'parameter_missing',
  'parameter_too_long',
  'conversation_handed_off',
  'conversation_busy',
  'agent_unavailable',
  'reply_timeout',
];
const ABOUT_WAITING =
  '`Prefer: wait=5` waits five seconds at most, `Prefer: respond-async` not at all: then the answer is 202, and the reply comes later. With `Accept: text/event-stream` the reply is streamed as the agent says it.';
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
    private readonly answers: MessageAnswers,
  ) {}

  @Post('messages')
  @Route({
    scope: 'conversations:write',
    rate: 'messages',
    summary: "Send a message by the client's thread id",
    about: `Goes to the conversation that has not ended under the thread id, or to a new one. The answer waits for the reply, 30 s unless set otherwise; after that it is 504 \`reply_timeout\`, and the same request with the same \`Idempotency-Key\` gets the reply once it is there. Posts to one conversation are answered one after the other. ${ABOUT_WAITING}`,
    body: SendMessageDto,
    answers: [SENT, ACCEPTED],
    openAnswers: true,
    joins: true,
    errors: [
      ...REFUSALS,
      'phone_invalid_format',
      'email_invalid_format',
      'metadata_invalid',
      'metadata_too_large',
      'time_range_invalid',
    ],
  })
  send(@Client() request: ClientRequest, @Body() body: SendMessageDto, @Res({ passthrough: true }) reply: FastifyReply) {
    const { context, warnings } = request;
    const warn = ({ isNew }: PostedMessage) => {
      if (isNew) return;
      for (const name of body.ofCreation)
        warnings.add(() => `'${name}' is ignored: the conversation exists already; PATCH /v1/conversations/{id} sets it`);
    };
    return this.answers.answer(request, reply, (options) => body.toCommand(context, options), warn);
  }

  @Post('conversations/:id/messages')
  @Route({
    scope: 'conversations:write',
    rate: 'messages',
    classByBody: true,
    summary: 'Send a message to a conversation',
    about: `Waits for the reply as \`POST /v1/messages\` does. A conversation that has ended takes none, and one that was handed off only with \`"when_handed_off": "store"\`, or of the human who has it, with \`role\` and \`author\`: that is answered at once, and counts as a write. ${ABOUT_WAITING}`,
    body: PostMessageDto,
    example: { content: 'Can I come Monday?' },
    answers: [SENT, ACCEPTED, BY_HUMAN],
    openAnswers: true,
    joins: true,
    errors: [...REFUSALS, 'conversation_ended', 'conversation_not_handed_off', 'resource_missing'],
  })
  async post(
    @Client() request: ClientRequest,
    @Body() body: PostMessageDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SentMessageResource | MessageResource | EventStream> {
    const { context, params } = request;
    const conversationId = params['id'] ?? '';
    const { humanName, content } = body;
    if (humanName === null) {
      return this.answers.answer(request, reply, (options) => body.toCommand(context, conversationId, options));
    }
    const message = await this.commands.execute(new PostAsHuman(context, conversationId, content, humanName));
    void reply.status(201);
    return toMessageResource(message);
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

  @Get('conversations/:id/messages/:message_id')
  @Route({
    scope: 'conversations:read',
    rate: 'read',
    name: 'getMessage',
    summary: 'Retrieve a message, and where its reply stands',
    about: 'With `wait` it answers as soon as the reply is there or will not come, and after so many seconds as it stands then.',
    filters: WAIT,
    answers: [{ status: 200, description: 'The message as it stands now.', resource: MessageStatusResource }],
    errors: ['parameter_invalid', 'resource_missing'],
  })
  async get(@Client() request: ClientRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<MessageStatusResource> {
    return toMessageStatusResource(await this.answers.standing(request, reply));
  }

  @Get('conversations/:id/messages/:message_id/stream')
  @Route({
    scope: 'conversations:read',
    rate: 'read',
    name: 'streamMessage',
    summary: 'Follow the reply to a message, as server-sent events',
    about:
      'The events of a stream that a post answers with. `Last-Event-ID` goes on where another stream broke off, whichever gateway it was of.',
    answers: [
      {
        status: 200,
        description: 'A stream that ends with `done`.',
        resource: MessageEventResource,
        stream: 'text/event-stream',
      },
    ],
    errors: ['resource_missing'],
  })
  follow(@Client() request: ClientRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EventStream> {
    return this.answers.follow(request, reply);
  }
}
