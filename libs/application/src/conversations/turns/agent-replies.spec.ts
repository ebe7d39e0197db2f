import type { Conversation } from '@domain/conversation/conversation';
import type { AppointmentAction } from '@domain/conversation/reply-action';
import { FakeClock } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import { NO_REQUEST } from '../../runtime/request-context.js';
import { AgentReplies } from './agent-replies.js';
import type { TurnContext } from './turn-context.js';

const BOOKED: AppointmentAction = { type: 'appointment', operation: 'created', appointmentId: 'apt_1' };
const conversation = { projectId: 'prj_1', id: 'conv_1', metadata: '{}' } as Conversation;

/** Whose tools booked something that only a look at the ledger tells. */
function repliesWith(isInDoubt: boolean): AgentReplies {
  const effects: AppointmentAction[] = [];
  const toolbox = {
    tools: [],
    effects,
    isInDoubt,
    recall: () => Promise.resolve(void effects.push(BOOKED)),
    call: () => Promise.reject(new Error('not asked for')),
  };
  const context = { customerOf: () => Promise.resolve(null), build: () => Promise.resolve({}) };
  return new AgentReplies(
    { reply: () => Promise.resolve(saying('I cannot tell.')) },
    context as unknown as TurnContext,
    { open: () => toolbox },
    { strip: (text) => Promise.resolve(text) },
    new FakeClock(),
  );
}

describe('the reply to a message', () => {
  it.each([
    ['asked before', { isRetry: true }, false, [BOOKED]],
    ['one of whose calls may have done more than it told', { isRetry: false }, true, [BOOKED]],
    ['asked once, that told all it did', { isRetry: false }, false, []],
  ])('names what a look at the ledger tells of a turn %s', async (_, { isRetry }, isInDoubt, actions) => {
    const message = { messageId: 'msg_1', content: 'hi', plainText: false, request: NO_REQUEST, isRetry };
    expect(await repliesWith(isInDoubt).replyTo(conversation, message)).toMatchObject({ actions });
  });
});
