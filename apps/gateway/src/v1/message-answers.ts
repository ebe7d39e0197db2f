import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import type { PostedMessage, PostMessage, PostOptions } from '@application/conversations/conversation.commands';
import { GetMessage } from '@application/conversations/follow/follow-message.queries';
import type { MessageName, Standing } from '@application/conversations/follow/message-follower';
import { LinkedAbort } from '@application/runtime/linked-abort';
import { Shutdown } from '@application/runtime/shutdown';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { errorBody, errorHeaders } from '../http/errors/error-body.js';
import { catalogueEntry } from '../http/errors/error-catalogue.js';
import { Idempotency, type Replayed } from '../http/idempotency/idempotency.js';
import { claimOutcome, replayMarks, type StoredAnswer } from '../http/idempotency/idempotency-record.js';
import { readFilter, type Filters } from '../http/paging/list-filters.js';
import { clientGone } from '../http/pipeline/client-gone.js';
import type { ClientRequest } from '../http/pipeline/request-state.js';
import type { EventStream } from '../http/server-sent-events/event-stream.js';
import { readWait, waitParameter } from '../http/server-sent-events/read-wait.js';
import { placeOwner } from '../http/server-sent-events/stream-places.js';
import { WaitingPlaces } from '../http/server-sent-events/waiting-places.js';
import { wantsEvents } from '../http/server-sent-events/wants-events.js';
import { MessageStreams, readPlace } from './message-streams.js';
import { toSentMessageResource, type SentMessageResource } from './message.resource.js';
import { readPreference } from './read-preference.js';

export const WAIT: Filters = { wait: waitParameter('for the reply') };

type CommandFor = (options: Omit<PostOptions, 'whenHandedOff'>) => PostMessage;

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const UNFINISHED: StoredAnswer = { status: 202, headers: JSON_HEADERS, body: '' };

/** Answers about a message in the way that the client wants to wait for its reply. */
@Injectable()
export class MessageAnswers {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: MessageStreams,
    private readonly queries: QueryBus,
    private readonly places: WaitingPlaces,
    private readonly idempotency: Idempotency,
    private readonly shutdown: Shutdown,
  ) {}

  /** Posts, and answers with the reply, with what is known once the client waits no more, or with a stream. */
  async answer(
    request: ClientRequest,
    reply: FastifyReply,
    command: CommandFor,
    posted: (sent: PostedMessage) => void = () => undefined,
  ): Promise<SentMessageResource | EventStream> {
    const { caller, claim, headers, replayed } = request;
    const { replyWindowMs: windowMs } = caller;
    if (replayed) return this.streamAgain(request, reply, replayed);
    if (wantsEvents(headers)) return this.stream(request, reply, command({ windowMs, wait: 'stored' }), posted);
    const { wait, applied } = readPreference(headers, windowMs);
    const sent = await this.commands.execute(command({ windowMs, wait }));
    posted(sent);
    if (applied !== null) void reply.header('preference-applied', applied);
    if (sent.replyStatus === 'queued' || sent.replyStatus === 'pending') void reply.status(202);
    // A retry under a key without a kept answer: if its turn was answered before the process died, this is a replay.
    const originalRequest = sent.answeredBefore ? claim?.originalRequest : null;
    if (originalRequest) void reply.headers(replayMarks(originalRequest));
    return toSentMessageResource(sent);
  }

  /** The message as soon as its reply is over, or as the client has waited long enough. */
  async standing(request: ClientRequest, reply: FastifyReply): Promise<Standing> {
    readFilter(request.query, WAIT);
    const [name, waitMs] = [nameIn(request), readWait(request.query)];
    if (waitMs === 0) return this.queries.execute(new GetMessage(name));
    const leave = this.places.enter(placeOwner(request.caller));
    const over = new LinkedAbort(clientGone(reply), this.shutdown.begun);
    try {
      return await request.whileWaiting(() => this.queries.execute(new GetMessage(name, { ms: waitMs, signal: over.signal })));
    } finally {
      leave();
      over.unlink();
    }
  }

  /** The reply as the agent says it, from where the client's last stream broke off. */
  async follow(request: ClientRequest, reply: FastifyReply): Promise<EventStream> {
    const name = nameIn(request);
    await this.queries.execute(new GetMessage(name));
    const from = readPlace(request.headers['last-event-id'], name.messageId);
    const store = () => Promise.resolve({ name, from });
    return this.streams.begin(reply, { owner: placeOwner(request.caller), requestId: request.id, store });
  }

  private stream(
    request: ClientRequest,
    reply: FastifyReply,
    command: PostMessage,
    posted: (sent: PostedMessage) => void,
  ): Promise<EventStream> {
    const { caller, claim, id: requestId, headers } = request;
    const { projectId } = caller;
    let isOver = claim === null;
    const store = async () => {
      const sent = await this.commands.execute(command);
      posted(sent);
      const { conversationId, id: messageId } = sent.message;
      return { name: { projectId, conversationId, messageId }, from: readPlace(headers['last-event-id'], messageId) };
    };
    const over = async (end: Standing | DomainError | null) => {
      if (isOver || !claim) return;
      isOver = true;
      const final = end instanceof DomainError ? keptRefusal(end, requestId) : end && finalAnswer(end);
      await this.idempotency.complete(claim, final ?? UNFINISHED, { open: true, isUnfinished: final === null });
    };
    return this.streams.begin(reply, { owner: placeOwner(caller), requestId, store, over });
  }

  /** The key's answer as a stream. */
  private streamAgain(request: ClientRequest, reply: FastifyReply, { answer, originalRequest }: Replayed): Promise<EventStream> {
    const { id: messageId, conversation_id: conversationId } = JSON.parse(answer.body) as SentMessageResource;
    const { projectId } = request.caller;
    const from = readPlace(request.headers['last-event-id'], messageId);
    const store = () => Promise.resolve({ name: { projectId, conversationId, messageId }, from });
    void reply.headers(replayMarks(originalRequest));
    return this.streams.begin(reply, { owner: placeOwner(request.caller), requestId: request.id, store });
  }
}

function nameIn({ caller: { projectId }, params }: ClientRequest): MessageName {
  return { projectId, conversationId: params['id'] ?? '', messageId: params['message_id'] ?? '' };
}

/** What the same post without a stream is refused with; null where the key's next request may be accepted. */
function keptRefusal(refusal: DomainError, requestId: string): StoredAnswer | null {
  const { status } = catalogueEntry(refusal.code);
  if (claimOutcome(status) !== 'keep') return null;
  return { status, headers: { ...JSON_HEADERS, ...errorHeaders(refusal) }, body: renderJson(errorBody(refusal, requestId)) };
}

/** What the same post without a stream is answered with; null where the key's next request continues with the message. */
function finalAnswer({ message, state, conversation }: Standing): StoredAnswer | null {
  if (state?.is !== 'replied' && state?.is !== 'kept') return null;
  const reply = state.is === 'replied' ? state.reply : null;
  const replyStatus = reply ? 'completed' : 'not_expected';
  const sent = toSentMessageResource({ message, reply, replyStatus, conversation, answeredBefore: false, isNew: false });
  return { status: 200, headers: JSON_HEADERS, body: renderJson(sent) };
}
