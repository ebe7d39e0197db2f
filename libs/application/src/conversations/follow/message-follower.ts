import { Injectable } from '@nestjs/common';
import { asOf, type Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { inTime } from '@kit/time';
import { Clock } from '@ports/clock.port';
import { EventStore, type ExpectedRevision } from '@ports/event-store.port';
import { onAbort } from '@ports/on-abort';
import { Settings } from '@ports/settings.port';
import { LinkedAbort } from '../../runtime/linked-abort.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import {
  conversationStream,
  findTurn,
  loadConversation,
  messageOf,
  newestFirst,
  type ReplyState,
} from '../state/conversation-stream.js';
import type { MessageView } from '../state/message-view.js';
import { LiveReplies } from '../turns/live-replies.js';
import type { ReplyPlace } from '../turns/live-reply.js';
import { stepsTo, type ReplyStep } from './reply-steps.js';

/** Without news of the stream it is read again after this time. */
const LOOK_EVERY_MS = 30_000;

/** A message as it is now. */
export interface Standing {
  readonly message: MessageView;
  /** Null of what the agent or a human wrote. */
  readonly state: ReplyState | null;
  readonly conversation: Conversation;
}

export interface MessageName {
  readonly projectId: string;
  readonly conversationId: string;
  readonly messageId: string;
}

export type Progress = ReplyStep | { readonly is: 'over'; readonly standing: Standing };

/** Follows a stored message until its reply is stored, whichever process works on it. */
@Injectable()
export class MessageFollower {
  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly live: LiveReplies,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Rejects with `resource_missing`. */
  async standing(name: MessageName): Promise<Standing> {
    const { conversationId, messageId } = name;
    const before = await this.conversation(name);
    const turn = isId('message', messageId) ? await findTurn(this.store, conversationId, messageId) : null;
    if (turn && !isOver(turn)) return { message: turn.message, state: turn.state, conversation: before };
    const message = turn?.message ?? (isId('message', messageId) ? await this.find(conversationId, messageId) : null);
    if (!message) throw resourceMissing('message', 'message_id');
    // The reply may have been stored since the first look, which then lacks it.
    return { message, state: turn?.state ?? null, conversation: await this.conversation(name) };
  }

  /** The message as soon as its reply is over; as it is once `ms` have passed or `signal` aborts. Rejects with `resource_missing`. */
  async whenOver(name: MessageName, ms: number, signal: AbortSignal): Promise<Standing> {
    const over = new LinkedAbort(signal);
    const cancel = this.clock.after(ms, over.abort);
    try {
      for (;;) {
        const revision = await this.revisionOf(name);
        const standing = await this.standing(name);
        if (isOver(standing) || over.signal.aborted) return standing;
        await this.grown(name, revision, over.signal);
      }
    } finally {
      cancel();
      over.unlink();
    }
  }

  /** Ends after `over`, or when `signal` aborts. `from`: the reader's position; null at the beginning. */
  async *follow(name: MessageName, from: ReplyPlace | null, signal: AbortSignal): AsyncGenerator<Progress> {
    let place = from;
    while (!signal.aborted) {
      const revision = await this.revisionOf(name);
      const standing = await this.standing(name);
      if (isOver(standing)) {
        yield* lastSteps(standing, place);
        yield { is: 'over', standing };
        return;
      }
      for await (const step of this.whileUnchanged(name, revision, () => place, signal)) {
        ({ place } = step);
        yield step;
      }
    }
  }

  /** What the agent says in this process until the stream grows. */
  private async *whileUnchanged(
    name: MessageName,
    revision: ExpectedRevision,
    place: () => ReplyPlace | null,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyStep> {
    const over = new LinkedAbort(signal);
    let wake = (): void => undefined;
    const leave = this.live.listen(name.messageId, () => wake());
    const grown = this.grown(name, revision, over.signal).then(over.abort, over.abort);
    try {
      while (!over.signal.aborted) {
        const changed = new Promise<void>((resolve) => (wake = resolve));
        const reply = this.live.find(name.messageId);
        if (reply) yield* stepsTo(place(), reply.run, reply.text);
        await Promise.race([changed, grown]);
      }
    } finally {
      leave();
      over.abort();
      over.unlink();
    }
  }

  private async conversation({ projectId, conversationId }: MessageName): Promise<Conversation> {
    const state = await loadConversation(this.streams, projectId, conversationId);
    return asOf(state, this.clock.now(), this.settings.conversationIdleMs);
  }

  private async revisionOf({ conversationId }: MessageName): Promise<ExpectedRevision> {
    return (await this.streams.load(conversationStream(conversationId), conversationDecider)).revision;
  }

  /** Resolves when the conversation's stream has grown, after a while, or on abort. */
  private async grown({ conversationId }: MessageName, revision: ExpectedRevision, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const over = new LinkedAbort(signal);
    const aborted = new Promise<void>((resolve) => void onAbort(over.signal, resolve));
    const changed = this.store.changed(conversationStream(conversationId), revision, over.signal);
    try {
      await inTime(this.clock, LOOK_EVERY_MS, Promise.race([changed, aborted]));
    } finally {
      over.abort();
      over.unlink();
    }
  }

  private async find(conversationId: string, messageId: string): Promise<MessageView | null> {
    for await (const { event } of newestFirst(this.store, conversationId)) {
      const message = messageOf(conversationId, event);
      if (message?.id === messageId) return message;
    }
    return null;
  }
}

/** Whether nothing more will come. */
function isOver({ state }: Pick<Standing, 'state'>): boolean {
  return state === null || (state.is !== 'queued' && state.is !== 'open');
}

/** A reply of an earlier version, or of a process that took the turn over, was said in no run. */
function* lastSteps({ state }: Standing, place: ReplyPlace | null): Generator<ReplyStep> {
  if (state?.is !== 'replied') return;
  const { run, reply } = state;
  if (run !== null) yield* stepsTo(place, run, reply.content);
  else if (place !== null && place.points > 0) yield { is: 'reset', place: { run: 'stored', points: 0 } };
}
