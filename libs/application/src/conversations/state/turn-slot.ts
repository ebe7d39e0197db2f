import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { isId, timeOfId } from '@domain/kernel/ids';
import type { SharedChange } from '../../read-models/projection.js';
import { merged, NO_DURATIONS, withDuration, type DurationHistogram } from '../../read-models/duration-histogram.js';
import { slotChanges } from '../../read-models/slot-changes.js';
import type { Slot } from '../../read-models/slot-ring.js';
import { isVerdict } from './agent-health-row.js';
import { isPost } from './conversation-stream.js';

/** What was said in a span of time. */
export interface TurnCounts {
  /** Of customers. */
  readonly messages: number;
  readonly replied: number;
  readonly failed: number;
  /** From messages to their replies. */
  readonly durations: DurationHistogram;
}

export type TurnSlot = Slot & TurnCounts;

const NOTHING: TurnCounts = { messages: 0, replied: 0, failed: 0, durations: NO_DURATIONS };

/** What an event of a conversation changes in the counts of its project. */
export function turnChanges(event: ConversationEvent, projectId: string): readonly SharedChange[] {
  if (!isPost(event) && !isVerdict(event)) return [];
  const empty = (startsAt: number): TurnSlot => ({ startsAt, ...NOTHING });
  const ms = durationOf(event);
  return slotChanges({ owner: projectId, projectId, at: event.at, empty, count: (slot) => withEvent(slot, event, ms) });
}

function withEvent(slot: TurnSlot, event: ConversationEvent, ms: number | null): TurnSlot {
  return {
    startsAt: slot.startsAt,
    messages: slot.messages + Number(isPost(event)),
    replied: slot.replied + Number(event.type === 'AgentReplied'),
    failed: slot.failed + Number(event.type === 'TurnFailed'),
    durations: ms === null ? slot.durations : withDuration(slot.durations, ms),
  };
}

/** The message is of another event: its id tells when it came. */
function durationOf(event: ConversationEvent): number | null {
  if (event.type !== 'AgentReplied' || !isId('message', event.inReplyTo)) return null;
  return Math.max(0, event.at - timeOfId(event.inReplyTo));
}

export function summed(all: readonly TurnCounts[]): TurnCounts {
  const sumOf = (count: (each: TurnCounts) => number) => all.reduce((sum, each) => sum + count(each), 0);
  return {
    messages: sumOf((each) => each.messages),
    replied: sumOf((each) => each.replied),
    failed: sumOf((each) => each.failed),
    durations: merged(all.map(({ durations }) => durations)),
  };
}
