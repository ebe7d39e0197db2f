import { conversationDecider } from '@domain/conversation/conversation.decider';
import {
  idleEnd,
  openTurns,
  UNOPENED,
  type Conversation,
  type ConversationStatus,
  type Turns,
} from '@domain/conversation/conversation';
import type { ConversationEvent, EndReason } from '@domain/conversation/conversation.events';
import { renderJson } from '@domain/kernel/json-text';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../../read-models/projection.js';
import { toConversationResource } from './conversation.resource.js';

/** A conversation as lists show it. */
export interface ConversationRow {
  readonly status: ConversationStatus;
  readonly externalId: string | null;
  readonly customerId: string | null;
  readonly metadata: string;
  readonly timeZone: string | null;
  readonly lastMessageAt: number | null;
  readonly handedOffAt: number | null;
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
  readonly lastEventAt: number;
  /** Only the turns that are still open. */
  readonly turns: Turns;
  /** Since when it idles; null while it cannot end by idling. */
  readonly idleSince: number | null;
  /** Since when its oldest open turn waits; null when none is open. */
  readonly openTurnSince: number | null;
}

export const conversationsProjection: Projection<ConversationEvent, ConversationRow> = {
  schema: {
    name: 'conversations',
    version: 2,
    filterFields: ['status', 'externalId', 'customerId', 'lastMessageAt', 'idleSince'],
    dueFields: ['idleSince', 'openTurnSince'],
  },
  idKind: 'conversation',
  categories: ['conversation'],
  rowIds: ({ stream }) => [idIn(stream)],
  begins: ({ revision }) => revision === 0,
  project(before, { event, stream }) {
    if (before === null && event.type !== 'ConversationOpened') return null;
    const id = idIn(stream);
    const state = conversationDecider.evolve(before === null ? UNOPENED : toConversation(id, before), event);
    const text = () => renderJson(toConversationResource(state));
    return { projectId: state.projectId, createdAt: state.createdAt, deleted: false, row: toRow(state), text };
  },
};

/** A row as the conversation it shows. */
export function toConversation(
  id: string,
  { projectId, createdAt, row }: { projectId: string; createdAt: number; row: ConversationRow },
): Conversation {
  return { id, projectId, createdAt, ...row };
}

function toRow(state: Conversation): ConversationRow {
  const { externalId, customerId, metadata, timeZone, lastMessageAt, handedOffAt, endedAt, endReason, lastEventAt } = state;
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
    endedAt,
    endReason,
    lastEventAt,
    turns,
    idleSince,
    openTurnSince,
  };
}
