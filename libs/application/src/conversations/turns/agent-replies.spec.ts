import type { Conversation } from '@domain/conversation/conversation';
import type { AppointmentAction } from '@domain/conversation/reply-action';
import { AgentFailed, type AgentReply } from '@ports/agent.port';
import { FakeClock } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import { NO_REQUEST } from '../../runtime/request-context.js';
import { AgentReplies } from './agent-replies.js';
import type { TurnContext } from './turn-context.js';

const BOOKED: AppointmentAction = { type: 'appointment', operation: 'created', appointmentId: 'apt_1' };
const ABOUT = { messageId: 'msg_1', revision: 1, content: 'hi', plainText: false };
const ASKED = { ...ABOUT, windowEndsAt: 0, request: NO_REQUEST, isRetry: false };
const conversation = { projectId: 'prj_1', id: 'conv_1', metadata: '{}' } as Conversation;

/** Whose tools did something: what they told of, and `BOOKED`, which only a look at the ledger tells. */
function repliesWith(
  isInDoubt: boolean,
  reply: () => Promise<AgentReply> = () => Promise.resolve(saying('I cannot tell.')),
  effects: AppointmentAction[] = [],
  strip = (text: string) => Promise.resolve(text),
): AgentReplies {
  const toolbox = {
    tools: [],
    effects,
    isInDoubt,
    recall: () => Promise.resolve(void effects.push(BOOKED)),
    call: () => Promise.reject(new Error('not asked for')),
  };
  const context = {
    customerOf: () => Promise.resolve(null),
    zoneOf: () => Promise.resolve('UTC'),
    build: () => Promise.resolve({}),
  };
  return new AgentReplies(
    { name: 'patient', reply },
    context as unknown as TurnContext,
    { open: () => toolbox },
    { strip },
    new FakeClock(),
  );
}

describe('the reply to a message', () => {
  it.each([
    ['asked before', { isRetry: true }, false, [BOOKED]],
    ['one of whose calls may have done more than it told', { isRetry: false }, true, [BOOKED]],
    ['asked once, that told all it did', { isRetry: false }, false, []],
  ])('names what a look at the ledger tells of a turn %s', async (_, { isRetry }, isInDoubt, actions) => {
    expect(await repliesWith(isInDoubt).replyTo(conversation, { ...ASKED, isRetry })).toMatchObject({ actions });
  });

  const failing = () => Promise.reject(new AgentFailed('http_error', 'The model server answered with HTTP 500.'));

  it('says what was done where the agent failed after it', async () => {
    const CANCELLED: AppointmentAction = { type: 'appointment', operation: 'cancelled', appointmentId: 'apt_2' };
    const { content, actions } = await repliesWith(false, failing, [CANCELLED]).replyTo(conversation, ASKED);
    expect([content, actions]).toEqual(['Your appointment is cancelled.', [CANCELLED]]);
  });

  it.each([
    ['an earlier asking did', { isRetry: true }, false],
    ['a call may have done', { isRetry: false }, true],
  ])('says what %s where the agent failed', async (_, { isRetry }, isInDoubt) => {
    const { content, actions } = await repliesWith(isInDoubt, failing).replyTo(conversation, { ...ASKED, isRetry });
    expect([content, actions]).toEqual(['Your appointment is booked.', [BOOKED]]);
  });

  it('is none where the agent failed and nothing was done', async () => {
    await expect(repliesWith(false, failing).replyTo(conversation, ASKED)).rejects.toMatchObject({ why: 'http_error' });
  });

  describe('of nothing but markup, where none is wanted,', () => {
    const plain = { ...ASKED, plainText: true };
    const reply = (content: string) => () => Promise.resolve(saying(content));
    const strip = (text: string) => Promise.resolve(text.replaceAll('-', ''));

    it('is told as the model wrote it', async () => {
      expect((await repliesWith(false, reply('---'), [], strip).replyTo(conversation, plain)).content).toBe('---');
    });

    it('says what was done, where something was', async () => {
      const { content } = await repliesWith(false, reply('---'), [BOOKED], strip).replyTo(conversation, plain);
      expect(content).toBe('Your appointment is booked.');
    });

    it('is none where there is not even markup', async () => {
      await expect(repliesWith(false, reply(' '), [], strip).replyTo(conversation, plain)).rejects.toMatchObject({
        why: 'malformed_reply',
      });
    });
  });
});
