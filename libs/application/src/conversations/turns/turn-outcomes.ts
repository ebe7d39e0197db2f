import { Injectable } from '@nestjs/common';
import { asOf, isUnanswered, ownersOf, turnOf, type Conversation, type Turns } from '@domain/conversation/conversation';
import { isClosure, type WhenHandedOff } from '@domain/conversation/conversation.events';
import type { ConversationCommand } from '@domain/conversation/conversation.commands';
import { TurnInProgress, conversationDecider } from '@domain/conversation/conversation.decider';
import { correlationOf, type Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { EventStore, type ExpectedRevision } from '@ports/event-store.port';
import { Settings } from '@ports/settings.port';
import { conversationStream, findTurn, grownOrAt, type StoredTurn } from '../state/conversation-stream.js';
import { KeyedQueue } from '@kit/keyed-queue';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import { LEASE_TIMES } from '../../runtime/lease-times.js';
import { NO_REQUEST, type RequestNames } from '../../runtime/request-context.js';
import { StreamRunner, type Timed } from '../../streams/stream-runner.js';
import { GIVEN_UP_AFTER_MS } from '../tools/toolboxes.js';
import { TurnRunner, type TurnOutcome } from './turn-runner.js';

/** No process works on an older open turn: its agent call would have been given up. */
const ABANDONED_AFTER_MS = GIVEN_UP_AFTER_MS + 60_000;

/** The outcome, or what to wait for before the next look: an event after `revision`, or the instant `until`. */
type Found =
  { readonly outcome: TurnOutcome | Promise<TurnOutcome> } | { readonly revision: ExpectedRevision; readonly until: number };

type ReopenTurn = Extract<ConversationCommand, { readonly type: 'ReopenTurn' }>;

interface Waiting {
  /** Until then a repeated turn blocks the next message. */
  readonly windowEndsAt: number;
  readonly request: RequestNames;
  /** What becomes of a failed message while a human has the conversation. */
  readonly whenHandedOff: WhenHandedOff;
  /** Called when a failed turn begins again. */
  readonly reopened?: (conversation: Conversation) => void;
}

@Injectable()
export class TurnOutcomes {
  /** By conversation: of several requests that find a turn left open, the first repeats it and the others join. */
  private readonly takingUp = new KeyedQueue();

  constructor(
    private readonly turns: TurnRunner,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly instances: InstanceRegistry,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Joins, reads or repeats the turn. A failed one is not repeated in a closed conversation, nor if no client waits. */
  async outcome(conversationId: string, messageId: string, envelope: Envelope, client: Waiting | null): Promise<TurnOutcome> {
    for (;;) {
      const found = await this.takingUp.run(conversationId, () => this.find(conversationId, messageId, envelope, client));
      if ('outcome' in found) return found.outcome;
      const { revision, until } = found;
      const stream = conversationStream(conversationId);
      await grownOrAt(this.store, this.clock, stream, revision, until);
    }
  }

  /** A posted message and its reply as they are stored; null where no execution has stored the message. */
  storedTurn(conversationId: string, messageId: string): Promise<StoredTurn | null> {
    return findTurn(this.store, conversationId, messageId);
  }

  /** As it is shown now. */
  async conversation(conversationId: string): Promise<Conversation> {
    const { state } = await this.streams.load(conversationStream(conversationId), conversationDecider);
    return asOf(state, this.clock.now(), this.settings.conversationIdleMs);
  }

  /** Whether the turn runs in this process, or is about to. */
  runsHere(messageId: string): boolean {
    return this.turns.isUnderWay(messageId);
  }

  /** Owners of these turns without a lease. Includes this process, so the caller must exclude turns that run here. */
  goneOwners(turns: Turns): Promise<ReadonlySet<string>> {
    return this.instances.gone(ownersOf(turns));
  }

  /** An open turn opened before this instant that does not run here was left by a dead process. */
  abandonedBefore(): number {
    return Math.max(this.instances.unownedVoidBefore, this.longAgo());
  }

  /** The same on any engine, also while other processes are alive. */
  longAgo(): number {
    return this.clock.now() - ABANDONED_AFTER_MS;
  }

  private async find(conversationId: string, messageId: string, envelope: Envelope, client: Waiting | null): Promise<Found> {
    const running = this.turns.running(messageId);
    if (running) return { outcome: running };
    const { state, revision } = await this.streams.load(conversationStream(conversationId), conversationDecider);
    const known = turnOf(state.turns, messageId);
    if (!known || !isUnanswered(known)) {
      const over = overIn(state, await this.storedTurn(conversationId, messageId), this.clock.now(), this.settings);
      if (over) return { outcome: over };
      if (!client) return { outcome: { kind: 'failed' } };
    }
    return this.askAgain(state, messageId, envelope, client, revision);
  }

  private async askAgain(
    conversation: Conversation,
    messageId: string,
    envelope: Envelope,
    client: Waiting | null,
    revision: ExpectedRevision,
  ): Promise<Found> {
    const stream = conversationStream(conversation.id);
    const askedAt = this.clock.now();
    const windowEndsAt = client?.windowEndsAt ?? askedAt + this.settings.replyWindowMs;
    const wanted = {
      messageId,
      windowEndsAt,
      failedToo: client !== null,
      whenHandedOff: client?.whenHandedOff ?? 'refuse',
    } as const;
    const commands = this.reopening(wanted, await this.goneOwners(conversation.turns));
    const ofMessage = { ...envelope, $correlationId: correlationOf(messageId) };
    try {
      const { state, events, revision: opened } = await this.streams.run(stream, conversationDecider, commands, ofMessage);
      const isOpened = events.some(({ type }) => type === 'TurnReopened' || type === 'TurnOpened');
      const turn = isOpened ? await this.storedTurn(conversation.id, messageId) : null;
      // Another process has it, or it failed just now: wait for the stream, or the end of that process's lease.
      if (!turn) return { revision, until: askedAt + LEASE_TIMES.renewedEveryMs };
      client?.reopened?.(state);
      const request = client?.request ?? NO_REQUEST;
      const about = { messageId, revision: turn.revision, content: turn.message.content, plainText: turn.plainText };
      const isLeft = turnOf(conversation.turns, messageId)?.state === 'open';
      const asked = { ...about, windowEndsAt, request, isRetry: true, run: isLeft ? null : String(opened) };
      return { outcome: this.turns.ask(state, asked) };
    } catch (error) {
      if (error instanceof TurnInProgress) return { revision, until: error.until };
      throw error;
    }
  }

  /** Made for each try: a turn may start here while another writer wins the race. */
  private reopening(
    wanted: Pick<ReopenTurn, 'messageId' | 'windowEndsAt' | 'failedToo' | 'whenHandedOff'>,
    gone: ReadonlySet<string>,
  ): Timed<ConversationCommand> {
    const { conversationIdleMs: idleMs } = this.settings;
    const left = { owner: this.instances.id, openedBefore: this.abandonedBefore(), gone };
    return (at) => [
      { type: 'EndIdleConversation', at, idleMs },
      { type: 'ReopenTurn', at, ...wanted, ...left, underWay: this.turns.underWay() },
    ];
  }
}

/** Null where the agent may be asked (again), or the turn is not over. */
function overIn(
  state: Conversation,
  turn: StoredTurn | null,
  at: number,
  { conversationIdleMs }: Pick<Settings, 'conversationIdleMs'>,
): TurnOutcome | null {
  if (!turn) return { kind: 'failed' };
  const conversation = asOf(state, at, conversationIdleMs);
  switch (turn.state.is) {
    case 'replied':
      return { kind: 'replied', reply: turn.state.reply, conversation, answeredBefore: true };
    case 'kept':
      return { kind: 'kept', conversation };
    case 'failed':
      return isClosure(turn.state.reason) ? { kind: 'failed', closure: turn.state.reason } : null;
    case 'queued':
    case 'open':
      return null;
  }
}
