import { Injectable } from '@nestjs/common';
import { asOf, type Conversation } from '@domain/conversation/conversation';
import { TurnInProgress, conversationDecider } from '@domain/conversation/conversation.decider';
import { turnOf } from '@domain/conversation/turn';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { EventStore, type ExpectedRevision } from '@ports/event-store.port';
import { Settings } from '@ports/settings.port';
import { conversationStream, findTurn, grownOrAt } from '../conversation-stream.js';
import { KeyedQueue } from '@kit/keyed-queue';
import type { RequestNames } from '../../request-context.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { GIVEN_UP_AFTER_MS } from './agent-replies.js';
import { TurnRunner, type TurnOutcome } from './turn-runner.js';

/** An open turn of another gateway that is older than this has lost its gateway, which would have given it up. */
const ABANDONED_AFTER_MS = GIVEN_UP_AFTER_MS + 60_000;

/** A turn's outcome, or what to wait for before looking again: the stream's growth, or an instant if that comes first. */
type Found =
  { readonly outcome: TurnOutcome | Promise<TurnOutcome> } | { readonly revision: ExpectedRevision; readonly until: number };

/** Who wants the outcome. */
interface Asking {
  /** How long a turn asked again keeps the next message waiting; null: for a whole window. */
  readonly windowEndsAt: number | null;
  readonly request: RequestNames;
}

/** Finds, or brings about, the outcome of a turn whose message is already stored. */
@Injectable()
export class TurnAttachment {
  /** Of several who come for turns of a conversation one asks again, and the others find that turn running. */
  private readonly takingUp = new KeyedQueue();

  constructor(
    private readonly turns: TurnRunner,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Joins the running turn, reads the stored reply, or asks again when the turn failed or lost its process. Refuses to ask
   * again for a failed one in a conversation that is closed by now, be it by idling.
   */
  async outcome(conversationId: string, messageId: string, asking: Asking): Promise<TurnOutcome> {
    for (;;) {
      const found = await this.takingUp.run(conversationId, () => this.find(conversationId, messageId, asking));
      if ('outcome' in found) return found.outcome;
      const { revision, until } = found;
      const stream = conversationStream(conversationId);
      await grownOrAt(this.store, this.clock, stream, revision, until);
    }
  }

  /** Whether the turn is under way here. */
  runsHere(messageId: string): boolean {
    return this.turns.attached(messageId) !== undefined;
  }

  /** Instant before which an open turn that does not run here belongs to nobody any more. */
  abandonedBefore(): number {
    return Math.max(this.engine.leasesVoidBefore, this.longAgo());
  }

  /** Instant before which that is so on any engine. */
  longAgo(): number {
    return this.clock.now() - ABANDONED_AFTER_MS;
  }

  private async find(conversationId: string, messageId: string, asking: Asking): Promise<Found> {
    const running = this.turns.attached(messageId);
    if (running) return { outcome: running };
    const { state, revision } = await this.streams.load(conversationStream(conversationId), conversationDecider);
    const known = turnOf(state.turns, messageId);
    if (!known || known.state === 'replied') {
      const turn = await findTurn(this.store, conversationId, messageId);
      const conversation = asOf(state, this.clock.now(), this.settings.conversationIdleMs);
      if (turn?.reply) return { outcome: { kind: 'replied', reply: turn.reply, conversation, storedBefore: true } };
      if (!turn || known) return { outcome: { kind: 'failed' } };
    }
    return this.askAgain(state, messageId, asking, revision);
  }

  private async askAgain(
    conversation: Conversation,
    messageId: string,
    asking: Asking,
    revision: ExpectedRevision,
  ): Promise<Found> {
    const stream = conversationStream(conversation.id);
    const at = this.clock.now();
    const idle = { type: 'EndIdleConversation', at, idleMs: this.settings.conversationIdleMs } as const;
    const { replyWindowMs } = this.settings;
    const windowEndsAt = asking.windowEndsAt ?? at + replyWindowMs;
    const left = { openedBefore: this.abandonedBefore(), underWay: this.turns.underWay };
    const reopen = { type: 'ReopenTurn', at, messageId, windowEndsAt, ...left } as const;
    try {
      const { state, events } = await this.streams.run(stream, conversationDecider, [idle, reopen]);
      const turn = events.some(({ type }) => type === 'TurnReopened')
        ? await findTurn(this.store, conversation.id, messageId)
        : null;
      // Not ours, or failed just now: what has become of it is in the stream.
      if (!turn) return { revision, until: at + ABANDONED_AFTER_MS };
      const { message, plainText } = turn;
      const asked = { messageId, content: message.content, plainText, request: asking.request, isRetry: true };
      return { outcome: this.turns.ask(state, asked) };
    } catch (error) {
      if (error instanceof TurnInProgress) return { revision, until: error.until };
      throw error;
    }
  }
}
