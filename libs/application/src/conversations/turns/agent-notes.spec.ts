import { AgentFailed, MAX_NOTE_BYTES } from '@ports/agent.port';
import { ConversationWorld, inThread } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { toConversationResource } from '../state/conversation.resource.js';

let world: ConversationWorld;
beforeEach(async () => (world = await ConversationWorld.create()));
afterEach(() => world.close());

const noting = (note: string) => () => ({ ...saying('ok'), note });

async function notesGivenTo(content: string): Promise<readonly (string | undefined)[]> {
  await world.post(content, inThread('thread'), world.context(content));
  const lines = await world.agent.asked.at(-1)!.turn.transcript();
  return lines.filter(({ role }) => role === 'assistant').map(({ note }) => note);
}

describe('what an agent notes beside its reply', () => {
  it('is given back in the transcript of the later turns of its conversation', async () => {
    world.agent.byDefault = noting('{"offer":"one"}');
    await world.post('first');
    world.agent.byDefault = () => saying('nothing to note');
    await world.post('second');
    expect(await notesGivenTo('third')).toEqual(['{"offer":"one"}', undefined]);
  });

  it('is there after a restart, and stays in its conversation', async () => {
    world.agent.byDefault = noting('{"offer":"one"}');
    await world.post('first');
    world = await world.restarted();
    world.agent.byDefault = noting('{"offer":"two"}');
    expect(await notesGivenTo('second')).toEqual(['{"offer":"one"}']);
    await world.post('elsewhere', inThread('another'), world.context('elsewhere'));
    expect(JSON.stringify(await world.agent.asked.at(-1)!.turn.transcript())).not.toContain('offer');
  });

  it('is given to no agent of another name', async () => {
    world.agent.byDefault = noting('{"offer":"one"}');
    await world.post('first');
    world.agent.name = 'another';
    expect(await notesGivenTo('second')).toEqual([undefined]);
    world.agent.name = 'patient';
    expect(await notesGivenTo('third')).toEqual(['{"offer":"one"}', undefined]);
  });

  it('stays as it was when a later turn fails', async () => {
    world.agent.byDefault = noting('{"offer":"one"}');
    await world.post('first');
    world.agent.byDefault = () => new AgentFailed('unreachable', 'gone');
    await world.post('second').catch(() => undefined);
    world.agent.byDefault = noting('{}');
    expect(await notesGivenTo('third')).toEqual(['{"offer":"one"}']);
  });

  it('is in no answer and no message of the transcript that clients read', async () => {
    world.agent.byDefault = noting('{"offer":"one"}');
    const first = await world.post('first');
    const again = await world.post('first', inThread('thread'), world.context('key'));
    const replayed = await world.post('first', inThread('thread'), world.context('key', true));
    for (const { message, reply, conversation } of [first, again, replayed])
      expect(JSON.stringify([message, reply, toConversationResource(conversation)])).not.toContain('offer');
  });

  it.each([
    ['of exactly the bound', `"${'x'.repeat(MAX_NOTE_BYTES - 2)}"`, true],
    ['larger than the bound', `"${'x'.repeat(MAX_NOTE_BYTES - 1)}"`, false],
    ['larger than the bound in UTF-8', `"${'é'.repeat(MAX_NOTE_BYTES / 2)}"`, false],
    ['that is no JSON', '{"offer":', false],
    ['that is no text of UTF-8', '"\ud800"', false],
  ])('is dropped, and the reply kept, where it is no note: %s', async (_, note, isKept) => {
    world.agent.byDefault = noting(note);
    expect(await world.post('first')).toMatchObject({ reply: { content: 'ok' } });
    expect(await notesGivenTo('second')).toEqual([isKept ? note : undefined]);
  });
});
