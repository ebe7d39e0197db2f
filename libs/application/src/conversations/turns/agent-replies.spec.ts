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
const ASKED = { ...ABOUT, windowEndsAt: 0, request: NO_REQUEST, isRetry: false, run: null };
const conversation = { projectId: 'prj_1', id: 'conv_1', metadata: '{}' } as Conversation;

/** A turn whose tools did something: what they reported, and `BOOKED`, which only the ledger shows. */
function repliesWith(
  isInDoubt: boolean,
  reply: () => Promise<AgentReply> = () => Promise.resolve(saying('I cannot tell.')),
  effects: AppointmentAction[] = [],
  strip = (text: string) => Promise.resolve(text),
  handoffReply: string | null = null,
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
    handoffReplyOf: () => Promise.resolve(handoffReply),
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

  describe('that hands over', () => {
    const HAND_OFF = { type: 'handoff', reason: 'asked', summary: null } as const;
    const ENDING = { type: 'end_conversation', reason: 'done' } as const;
    const SOON = 'You hear from us **today**.';
    const strip = (text: string) => Promise.resolve(text.replaceAll(/[*-]/g, ''));
    const contentOf = async (reply: AgentReply, plainText = false, handoffReply: string | null = SOON) => {
      const replies = repliesWith(false, () => Promise.resolve(reply), [], strip, handoffReply);
      return (await replies.replyTo(conversation, { ...ASKED, plainText })).content;
    };

    it('ends with what its project says then, after a blank line', async () => {
      expect(await contentOf(saying('A colleague comes.', HAND_OFF))).toBe(`A colleague comes.\n\n${SOON}`);
      expect(await contentOf(saying('A colleague comes.\n', HAND_OFF))).toBe(`A colleague comes.\n\n${SOON}`);
    });

    it('has it in plain text where that is wanted', async () => {
      expect(await contentOf(saying('*Moment*', HAND_OFF), true)).toBe('Moment\n\nYou hear from us today.');
    });

    it.each([
      ['nothing', ''],
      ['nothing but markup, where none is wanted', '---'],
    ])('has it after the words for what was done, where the agent said %s', async (_, content) => {
      const words = "I'll connect you with a person who will take it from here.";
      expect(await contentOf(saying(content, HAND_OFF), true)).toBe(`${words}\n\nYou hear from us today.`);
    });

    it('is as it is where its project says nothing, or nothing but markup', async () => {
      expect(await contentOf(saying('A colleague comes.', HAND_OFF), false, null)).toBe('A colleague comes.');
      expect(await contentOf(saying('A colleague comes.', HAND_OFF), true, '---')).toBe('A colleague comes.');
    });

    it('is the only one that has it', async () => {
      expect(await contentOf(saying('Hello.'))).toBe('Hello.');
      expect(await contentOf(saying('Bye.', HAND_OFF, ENDING))).toBe('Bye.');
    });
  });
});
