import { afterFailure, afterSuccess, NO_FAILURES, type FailureRun } from '@domain/issue/failure-run';
import { isClosure, type ConversationEvent } from '@domain/conversation/conversation.events';
import type { RowsSchema } from '@ports/read-models.port';
import type { ProjectedRow, SharedChange } from '../../read-models/projection.js';

/** Rows that conversations share: by project id, how its agent does; beside them the counts of projects. */
export const AGENT_HEALTH: RowsSchema = { name: 'agent-health', filterFields: [], dueFields: ['failedAt'] };

export interface AgentHealthRow {
  readonly turns: FailureRun;
  /** The last failed turn; null before the first. */
  readonly failedAt: number | null;
}

type Verdict = Extract<ConversationEvent, { type: 'AgentReplied' | 'TurnFailed' }>;

/** A turn that ended because its conversation did says nothing about the agent. */
const CLOSED = 'conversation_closed';

const MESSAGES: Readonly<Record<string, string>> = {
  unreachable: 'The model server could not be reached.',
  timeout: 'The model server did not answer in time.',
  http_error: 'The model server answered with an error.',
  malformed_reply: 'The model server gave no usable reply.',
  internal: 'The agent itself failed.',
};

/** Whether a turn ended, for a reason that is about the agent. */
export function isVerdict(event: ConversationEvent): event is Verdict {
  return event.type === 'AgentReplied' || (event.type === 'TurnFailed' && event.reason !== CLOSED && !isClosure(event.reason));
}

/** What a turn changes in the row of its project. */
export function agentChanges(event: ConversationEvent, projectId: string): readonly SharedChange[] {
  if (!isVerdict(event)) return [];
  const project = (before: ProjectedRow<object> | null): ProjectedRow<AgentHealthRow> | null => {
    const known = (before as ProjectedRow<AgentHealthRow> | null)?.row ?? { turns: NO_FAILURES, failedAt: null };
    const turns = turnsAfter(known.turns, event);
    if (before && turns === known.turns) return null;
    const failedAt = event.type === 'TurnFailed' ? event.at : known.failedAt;
    return { projectId, createdAt: event.at, deleted: false, row: { turns, failedAt } };
  };
  return [{ id: projectId, project }];
}

function turnsAfter(turns: FailureRun, event: Verdict): FailureRun {
  const { at } = event;
  if (event.type === 'AgentReplied') return afterSuccess(turns, at);
  const { reason: code } = event;
  return afterFailure(turns, { at, beganAt: at, cause: { code, message: MESSAGES[code] ?? 'The turn failed.' } });
}
