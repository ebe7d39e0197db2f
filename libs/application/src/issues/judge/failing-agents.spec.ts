import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { IssueWorld } from '@testing/issue-world';
import { LEDGER_PROJECT, OTHER_PROJECT } from '@testing/ledger-world';

const S = 1_000;

let world: IssueWorld;
beforeEach(async () => {
  world = await IssueWorld.create();
});
afterEach(() => world.close());

const at = () => world.ledger.clock.now();
const failed = (reason = 'unreachable'): ConversationEvent => ({ type: 'TurnFailed', at: at(), messageId: 'msg_1', reason });
const replied = (): ConversationEvent => ({
  type: 'AgentReplied',
  at: at(),
  replyId: 'msg_2',
  inReplyTo: 'msg_1',
  content: 'Yes.',
  actions: [],
});

/** A conversation in which these turns end. */
async function talk(projectId: string, ...turns: readonly ConversationEvent[]): Promise<void> {
  const conversationId = world.ledger.ids.next('conversation');
  const who = { conversationId, projectId, externalId: null, customerId: null, metadata: '{}' };
  const events = [{ type: 'ConversationOpened', at: at(), ...who } as const, ...turns];
  const batch = events.map((event) => ({ id: world.ledger.ids.uuid(), event }));
  await world.ledger.ports.events.append(`conversation-${conversationId}`, batch, 'none');
  await world.deliveries.quiet();
}

describe('an agent whose turns fail', () => {
  it('is an issue of its project after three in a row, in whichever conversations, until it replies', async () => {
    await talk(LEDGER_PROJECT, failed(), failed());
    await talk(OTHER_PROJECT, failed());
    await world.round();
    expect(await world.issues()).toEqual([]);
    await talk(LEDGER_PROJECT, failed('timeout'));
    await talk(LEDGER_PROJECT, failed());
    await world.round();
    expect(await world.issues()).toMatchObject([
      {
        kind: 'agent_failing',
        status: 'open',
        projectId: LEDGER_PROJECT,
        subject: { object: 'project', id: LEDGER_PROJECT },
        cause: { code: 'timeout' },
        count: 4,
      },
    ]);
    await talk(LEDGER_PROJECT, replied());
    await world.elapse(50 * S, 10 * S);
    expect(await world.issues()).toMatchObject([{ status: 'open' }]);
    await world.elapse(20 * S, 10 * S);
    expect(await world.issues()).toMatchObject([{ status: 'closed', count: 4 }]);
  });
});
