import type { ConversationEvent } from '@domain/conversation/conversation.events';
import type { ProjectedRow } from '../../read-models/projection.js';
import { agentChanges, type AgentHealthRow } from './agent-health-row.js';

const failed = (at: number, reason = 'timeout'): ConversationEvent => ({ type: 'TurnFailed', at, messageId: 'msg_1', reason });
const replied = (at: number): ConversationEvent => ({
  type: 'AgentReplied',
  at,
  replyId: 'msg_2',
  inReplyTo: 'msg_1',
  content: 'Yes.',
  actions: [],
});

type Row = ProjectedRow<AgentHealthRow> | null;

function changed(before: Row, event: ConversationEvent): Row {
  const [change] = agentChanges(event, 'prj_1');
  return (change?.project(before) ?? null) as Row;
}
function after(...events: readonly ConversationEvent[]): AgentHealthRow | undefined {
  return events.reduce<Row>((before, event) => changed(before, event) ?? before, null)?.row;
}

describe("the row of a project's agent", () => {
  it('counts turns that failed in a row, with the cause of the third', () =>
    expect(after(failed(1), failed(2), failed(3, 'unreachable'), failed(4))).toEqual({
      failedAt: 4,
      turns: expect.objectContaining({
        inARow: 4,
        counted: 4,
        alarm: {
          at: 3,
          since: 1,
          countedBefore: 0,
          cause: { code: 'unreachable', message: 'The model server could not be reached.' },
        },
      }),
    }));
  it('is well again after a reply', () =>
    expect(after(failed(1), failed(2), failed(3), replied(5))).toMatchObject({ turns: { inARow: 0, overSince: 5 } }));
  it('is not written again for a reply of an agent that was well', () => {
    const well = changed(null, replied(1));
    expect(well?.row.turns.inARow).toBe(0);
    expect(changed(well, replied(2))).toBeNull();
  });
  it('does not count a turn that ended with its conversation', () =>
    expect(agentChanges(failed(1, 'conversation_closed'), 'prj_1')).toEqual([]));
});
