import { Injectable } from '@nestjs/common';
import { asOf, ownersOf, turnOf, type Conversation, type Turns } from '@domain/conversation/conversation';
import { TurnInProgress, conversationDecider, type ConversationCommand } from '@domain/conversation/conversation.decider';
import { correlationOf, type Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { EventStore, type ExpectedRevision } from '@ports/event-store.port';
import { Settings } from '@ports/settings.port';
import { conversationStream, findTurn, grownOrAt } from '../state/conversation-stream.js';
import { KeyedQueue } from '@kit/keyed-queue';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import { LEASE_TIMES } from '../../runtime/lease-times.js';
import { NO_REQUEST, type RequestNames } from '../../runtime/request-context.js';
import { StreamRunner, type Timed } from '../../streams/stream-runner.js';
import { GIVEN_UP_AFTER_MS } from '../tools/toolboxes.js';
import { TurnRunner, type TurnOutcome } from './turn-runner.js';

/** No process works on an open turn that is older than this: the agent's call is given up before. */
const ABANDONED_AFTER_MS = GIVEN_UP_AFTER_MS + 60_000;

/** A turn's outcome, or what to wait for before the next look: an event behind `revision`, or the instant `until`. */
type Found =
  { readonly outcome: TurnOutcome | Promise<TurnOutcome> } | { readonly revision: ExpectedRevision; readonly until: number };

/** The client that waits for an outcome. */
interface Waiting {
  /** Until when a turn that is asked again keeps the next message waiting. */
  readonly windowEndsAt: number;
  readonly request: RequestNames;
}

/** The outcome of a turn whose message is already stored: of one that runs, is over, or was left open. */
@Injectable()
export class TurnOutcomes {
  /** One look at a conversation at a time: of several that find a turn left open, the first asks again and the others join. */
  private readonly takingUp = new KeyedQueue();

  constructor(
    private readonly turns: TurnRunner,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly instances: InstanceRegistry,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Joins the running turn, reads the stored reply, or asks again when the turn failed or lost its process. Refuses to ask
   * again for a failed one in a conversation that is closed by now, be it by idling. Where no client waits, a failed turn is over.
   */
  async outcome(conversationId: string, messageId: string, envelope: Envelope, client: Waiting | null): Promise<TurnOutcome> {
    for (;;) {
      const found = await this.takingUp.run(conversationId, () => this.find(conversationId, messageId, envelope, client));
      if ('outcome' in found) return found.outcome;
      const { revision, until } = found;
      const stream = conversationStream(conversationId);
      await grownOrAt(this.store, this.clock, stream, revision, until);
    }
  }

  /** Whether the turn runs in this process, or is about to. */
  runsHere(messageId: string): boolean {
    return this.turns.isUnderWay(messageId);
  }

  /** The owners of these turns that have no lease. This process is among them, so whoever asks must except the turns it runs. */
  goneOwners(turns: Turns): Promise<ReadonlySet<string>> {
    return this.instances.gone(ownersOf(turns));
  }

  /** An open turn that was opened before this instant, and does not run here, was left by a dead process. */
  abandonedBefore(): number {
    return Math.max(this.instances.unownedVoidBefore, this.longAgo());
  }

  /** The same on any engine, also where other processes are alive. */
  longAgo(): number {
    return this.clock.now() - ABANDONED_AFTER_MS;
  }

  private async find(conversationId: string, messageId: string, envelope: Envelope, client: Waiting | null): Promise<Found> {
    const running = this.turns.running(messageId);
    if (running) return { outcome: running };
    const { state, revision } = await this.streams.load(conversationStream(conversationId), conversationDecider);
    const known = turnOf(state.turns, messageId);
    if (!known || known.state === 'replied') {
      const turn = await findTurn(this.store, conversationId, messageId);
      const conversation = asOf(state, this.clock.now(), this.settings.conversationIdleMs);
      if (turn?.reply) return { outcome: { kind: 'replied', reply: turn.reply, conversation, answeredBefore: true } };
      if (!turn || known) return { outcome: { kind: 'failed' } };
    }
    if (!client && known?.state !== 'open') return { outcome: { kind: 'failed' } };
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
    const wanted = { messageId, windowEndsAt, failedToo: client !== null };
    const commands = this.reopening(wanted, await this.goneOwners(conversation.turns));
    const ofMessage = { ...envelope, $correlationId: correlationOf(messageId) };
    try {
      const { state, events } = await this.streams.run(stream, conversationDecider, commands, ofMessage);
      const turn = events.some(({ type }) => type === 'TurnReopened')
        ? await findTurn(this.store, conversation.id, messageId)
        : null;
      // Another process has it, or it failed just now: the stream will tell, or the end of that process's lease.
      if (!turn) return { revision, until: askedAt + LEASE_TIMES.renewedEveryMs };
      const request = client?.request ?? NO_REQUEST;
      const about = { messageId, revision: turn.revision, content: turn.message.content, plainText: turn.plainText };
      const asked = { ...about, windowEndsAt, request, isRetry: true };
      return { outcome: this.turns.ask(state, asked) };
    } catch (error) {
      if (error instanceof TurnInProgress) return { revision, until: error.until };
      throw error;
    }
  }

  /** Made anew for each try: a turn may begin here while another writer gets ahead. */
  private reopening(
    wanted: { readonly messageId: string; readonly windowEndsAt: number; readonly failedToo: boolean },
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
