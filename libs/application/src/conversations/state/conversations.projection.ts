import { conversationDecider } from '@domain/conversation/conversation.decider';
import {
  idleEnd,
  openTurns,
  UNOPENED,
  type Conversation,
  type ConversationStatus,
  type Turns,
} from '@domain/conversation/conversation';
import type { ConversationEvent, EndReason, HandoffParty } from '@domain/conversation/conversation.events';
import { NOTHING_SAID } from '@domain/conversation/newest-messages';
import { renderJson } from '@domain/kernel/json-text';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../../read-models/projection.js';
import { AGENT_HEALTH, agentChanges } from './agent-health-row.js';
import { conversationStream } from './conversation-stream.js';
import { toConversationResource } from './conversation.resource.js';
import { turnChanges } from './turn-slot.js';

export interface ConversationRow {
  readonly status: ConversationStatus;
  readonly externalId: string | null;
  readonly customerId: string | null;
  readonly metadata: string;
  readonly timeZone: string | null;
  readonly lastMessageAt: number | null;
  readonly handedOffAt: number | null;
  readonly handoffBy: HandoffParty | null;
  readonly handoffReason: string | null;
  readonly handoffSummary: string | null;
  readonly resumedAt: number | null;
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
  readonly lastEventAt: number;
  /** Only the turns that are still open or queued. */
  readonly turns: Turns;
  /** Null while it cannot end by idling. */
  readonly idleSince: number | null;
  readonly openTurnSince: number | null;
}

export const conversationsProjection: Projection<ConversationEvent, ConversationRow> = {
  schema: {
    name: 'conversations',
    version: 5,
    filterFields: ['status', 'externalId', 'customerId', 'lastMessageAt', 'handedOffAt', 'idleSince'],
    dueFields: ['idleSince', 'openTurnSince'],
    shared: AGENT_HEALTH,
  },
  columns: {
    status: { type: 'text', meaning: 'Where the conversation stands.' },
    externalId: { type: 'text', meaning: "The client's own id of the conversation; null where none was given." },
    customerId: { type: 'text', meaning: 'Whom the agent talks with; null where no customer was named.' },
    metadata: { type: 'json', meaning: 'What the client keeps with it, as it was sent.' },
    timeZone: { type: 'text', meaning: 'Its zone, as IANA names it; null for that of its project.' },
    lastMessageAt: { type: 'time', meaning: 'When its last message or reply was stored; null before the first.' },
    handedOffAt: {
      type: 'time',
      meaning: 'When a human took over, also after it has ended; null where none did, and after it was given back.',
    },
    handoffBy: {
      type: 'text',
      meaning: 'Who handed it over: `agent` or `client`; null where no human has, or had it at the end.',
    },
    handoffReason: { type: 'text', meaning: 'Why it was handed over, for programs; null where nobody said.' },
    handoffSummary: { type: 'text', meaning: 'What the human should know; null where nobody said.' },
    resumedAt: { type: 'time', meaning: 'When a human last gave it back; null where none did.' },
    endedAt: { type: 'time', meaning: 'When it ended; null until then. After idling: when its idle time was over.' },
    endReason: { type: 'text', meaning: 'What ended it; null until then.' },
    lastEventAt: { type: 'time', meaning: 'When something of it was last stored.' },
    turns: { leftOut: 'Messages whose reply is under way, which the service works on.' },
    idleSince: { leftOut: 'An index: from when it can end by idling.' },
    openTurnSince: { leftOut: 'An index: the earliest of `turns`.' },
  },
  idKind: 'conversation',
  categories: ['conversation'],
  rowIds: ({ stream }) => [idIn(stream)],
  begins: ({ revision }) => revision === 0,
  streamsOf: (_, id) => [conversationStream(id)],
  project(before, { event, stream }) {
    if (before === null && event.type !== 'ConversationOpened') return null;
    const id = idIn(stream);
    const state = conversationDecider.evolve(before === null ? UNOPENED : toConversation(id, before), event);
    const text = () => renderJson(toConversationResource(state));
    return { projectId: state.projectId, createdAt: state.createdAt, deleted: false, row: toRow(state), text };
  },
  shared: {
    changes: ({ event }, _, projectId) => [...agentChanges(event, projectId), ...turnChanges(event, projectId)],
  },
};

export function toConversation(
  id: string,
  { projectId, createdAt, row }: { projectId: string; createdAt: number; row: ConversationRow },
): Conversation {
  const { handoffBy: by, handoffReason: reason, handoffSummary: summary, ...members } = row;
  const { handedOffAt: at } = row;
  const handoff = by === null || at === null ? null : { by, reason, summary, at };
  return { id, projectId, createdAt, ...members, handoff, handback: null, newest: NOTHING_SAID };
}

function toRow(state: Conversation): ConversationRow {
  const { externalId, customerId, metadata, timeZone, lastMessageAt, handedOffAt, handoff, resumedAt } = state;
  const { endedAt, endReason, lastEventAt } = state;
  const status = state.status === 'unopened' ? 'active' : state.status;
  const turns = openTurns(state.turns);
  const idleSince = idleEnd({ ...state, turns }, 0);
  const openTurnSince = turns.length > 0 ? Math.min(...turns.map(({ openedAt }) => openedAt)) : null;
  return {
    status,
    externalId,
    customerId,
    metadata,
    timeZone,
    lastMessageAt,
    handedOffAt,
    handoffBy: handoff?.by ?? null,
    handoffReason: handoff?.reason ?? null,
    handoffSummary: handoff?.summary ?? null,
    resumedAt,
    endedAt,
    endReason,
    lastEventAt,
    turns,
    idleSince,
    openTurnSince,
  };
}
