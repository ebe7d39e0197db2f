import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { FollowMessage, GetMessage } from '@application/conversations/follow/follow-message.queries';
import type { MessageName, Progress, Standing } from '@application/conversations/follow/message-follower';
import { isReplyRun, type ReplyPlace } from '@application/conversations/turns/live-reply';
import { DomainError } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { inTime } from '@kit/time';
import { Clock, pause } from '@ports/clock.port';
import { eventText, type EventStream } from '../http/server-sent-events/event-stream.js';
import { errorBody, refusalOf } from '../http/errors/error-body.js';
import { ServerSentEvents } from '../http/server-sent-events/server-sent-events.js';
import { WaitingPlaces } from '../http/server-sent-events/waiting-places.js';
import { toConversationResource } from './conversation.resource.js';
import { toPostedMessage, toReply } from './message.resource.js';
import { replyErrorOf } from './message-status.resource.js';

/** The head is sent then, also while the message still waits for its turn. */
const HEAD_AFTER_MS = 10_000;
const MAX_STREAM_MS = 5 * 60_000;
/** A reader whose 64 KiB are full for so long does not read. */
const MAX_UNREAD_MS = 5_000;
/** The position of a stream before the first delta. */
const BEGINNING = { run: '0', points: 0 };

interface Followed {
  readonly name: MessageName;
  /** The reader's position; null where it has seen nothing, not even the message. */
  readonly from: ReplyPlace | null;
}

interface Streamed {
  /** Whose places the stream takes. */
  readonly owner: string;
  /** Named by the error object of an error that ends the stream. */
  readonly requestId: string;
  /** Resolves once the message is stored, which may have to wait for its turn. */
  readonly store: () => Promise<Followed>;
  /** Called with the reply, or the refusal of the message, before it is sent, and when the stream ends without one. */
  readonly over?: (end: Standing | DomainError | null) => Promise<void>;
}

/** Answers that tell a message, its reply as the agent says it, and the conversation after it. */
@Injectable()
export class MessageStreams {
  constructor(
    private readonly queries: QueryBus,
    private readonly events: ServerSentEvents,
    private readonly places: WaitingPlaces,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a place until the stream closes. Rejects with `service_unavailable` where there is none, and as the message is refused; a refusal
   * that comes late is an event.
   */
  async begin(reply: FastifyReply, streamed: Streamed): Promise<EventStream> {
    const leave = this.places.enter(streamed.owner);
    try {
      const stored = streamed.store();
      const early = await inTime(this.clock, HEAD_AFTER_MS, stored);
      const run = new StreamRun(this.events, this.clock, reply, streamed.requestId, early);
      run.stream.once('close', leave);
      // A key that cannot be released is free once its lease has run out.
      void this.tell(run, stored, streamed).finally(() => void streamed.over?.(null).catch(() => undefined));
      return run.stream;
    } catch (error) {
      leave();
      throw error;
    }
  }

  private async tell(run: StreamRun, stored: Promise<Followed>, { over }: Streamed): Promise<void> {
    try {
      const { name, from } = await stored.catch(async (error: unknown) => {
        await over?.(refusalOf(error));
        throw error;
      });
      const standing = await this.queries.execute(new GetMessage(name));
      run.follows({ name, from });
      if (from === null) await run.send('message.created', toPostedMessage(standing.message));
      for await (const progress of await this.queries.execute(new FollowMessage(name, from, run.closed))) {
        if (progress.is === 'over') await over?.(progress.standing);
        await run.tell(progress);
      }
    } catch (error) {
      await run.fail(error);
    }
  }
}

/** One stream: the id of each event is the position at which its reader can continue. */
class StreamRun {
  readonly stream: EventStream;
  private readonly closing = new AbortController();
  private messageId: string | null = null;
  private place: ReplyPlace = BEGINNING;

  constructor(
    events: ServerSentEvents,
    private readonly clock: Clock,
    reply: FastifyReply,
    private readonly requestId: string,
    early: Followed | undefined,
  ) {
    if (early) this.follows(early);
    this.stream = events.begin(reply, () => this.id);
    const cancel = clock.after(MAX_STREAM_MS, () => this.stream.finish());
    this.stream.once('close', () => {
      cancel();
      this.closing.abort();
    });
  }

  get closed(): AbortSignal {
    return this.closing.signal;
  }

  follows({ name, from }: Followed): void {
    this.messageId = name.messageId;
    this.place = from ?? BEGINNING;
  }

  async send(event: string, data: object): Promise<void> {
    if (this.stream.isFull) await this.room();
    this.stream.send(eventText({ event, data, id: this.id ?? '' }));
  }

  async tell(progress: Progress): Promise<void> {
    if (progress.is === 'over') return this.end(progress.standing);
    this.place = progress.place;
    if (progress.is === 'reset') await this.send('reply.reset', {});
    else await this.send('reply.delta', { delta: progress.delta });
  }

  async fail(error: unknown): Promise<void> {
    await this.send('error', errorBody(refusalOf(error), this.requestId));
    await this.finish();
  }

  private async end({ state, message, conversation }: Standing): Promise<void> {
    if (state?.is === 'replied') await this.send('reply.completed', toReply(state.reply));
    await this.send('conversation.updated', toConversationResource(conversation));
    if (state?.is === 'failed') await this.send('error', this.failureOf(state.reason, message));
    await this.finish();
  }

  private failureOf(reason: string, { id, conversationId }: Standing['message']) {
    const { code, message } = replyErrorOf(reason);
    const extras = { conversation_id: conversationId, message_id: id };
    return errorBody(new DomainError(code, message, { extras }), this.requestId);
  }

  private async finish(): Promise<void> {
    await this.send('done', {});
    this.stream.finish();
  }

  private get id(): string | null {
    const { messageId, place } = this;
    return messageId === null ? null : `${messageId}.${place.run}.${place.points}`;
  }

  /** Closes the stream of a reader that does not read. */
  private async room(): Promise<void> {
    const room = new Promise<void>((resolve) => this.stream.onRoom(resolve));
    await Promise.race([room, pause(this.clock, MAX_UNREAD_MS, this.closed)]);
    if (this.stream.isFull) this.stream.destroy();
  }
}

const PLACE = /^(.+)\.([^.]+)\.(\d{1,9})$/;

/** Reads `Last-Event-ID` of a stream of this message. Null at the beginning, also for what is no id of it. */
export function readPlace(lastEventId: string | string[] | undefined, messageId: string): ReplyPlace | null {
  const [, of = '', run = '', points = ''] = PLACE.exec(String([lastEventId ?? ''].flat()[0])) ?? [];
  return of === messageId && isId('message', of) && isReplyRun(run) ? { run, points: Number(points) } : null;
}
