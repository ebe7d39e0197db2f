import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { settle } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import { HandOffConversation, OpenConversation, ResumeConversation } from './conversation.commands.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

async function opened(): Promise<string> {
  const input = { externalId: null, customer: null, metadata: '{}', timeZone: null };
  return (await world.open.execute(new OpenConversation(world.context(), input))).id;
}

const handOff = (id: string, context = world.context()) =>
  world.handOff.execute(new HandOffConversation(context, id, 'angry', 'Wants a refund.'));
const resume = (id: string, context = world.context()) => world.resume.execute(new ResumeConversation(context, id, null));
const idleOut = () => world.clock.set(world.clock.now() + world.settings.conversationIdleMs);

describe('a hand-off by the client', () => {
  it('shows who asked for it, why and with which summary', async () => {
    const id = await opened();
    const at = world.clock.now();
    const handoff = { by: 'client', reason: 'angry', summary: 'Wants a refund.', at };
    expect(await handOff(id)).toMatchObject({ status: 'handed_off', handedOffAt: at, handoff });
  });

  it('is refused where the conversation has idled out', async () => {
    const id = await opened();
    idleOut();
    await expect(handOff(id)).rejects.toMatchObject({ code: 'conversation_ended' });
  });

  it('has messages that wait for the turn under way refused at once, or kept', async () => {
    const first = world.post('one');
    await world.askedTimes(1);
    const id = world.threads.known(PROJECT, 'thread')!;
    const refused = world.post('two');
    const kept = world.postBy({ whenHandedOff: 'store' }, 'three');
    await settle();
    await handOff(id);
    await expect(refused).rejects.toMatchObject({ code: 'conversation_handed_off' });
    expect(await kept).toMatchObject({ reply: null, replyStatus: 'not_expected', conversation: { status: 'handed_off' } });
    world.agent.asked[0]!.answer(saying('welcome'));
    expect((await first).conversation.status).toBe('handed_off');
  });

  it('that is asked for again under its key stays given back, if it was given back meanwhile', async () => {
    const id = await opened();
    await handOff(id, world.context('key'));
    await resume(id);
    expect(await handOff(id, world.context('key', true))).toMatchObject({ status: 'active', handoff: null });
  });

  it('that a process died before is made by the retry', async () => {
    const id = await opened();
    expect(await handOff(id, world.context('key', true))).toMatchObject({ status: 'handed_off' });
  });
});

describe('giving back', () => {
  it('lets the agent answer again, in the same conversation and thread', async () => {
    world.agent.byDefault = () => saying('welcome');
    const { id } = (await world.post('hello')).conversation;
    await handOff(id);
    expect(await resume(id)).toMatchObject({ id, status: 'active', externalId: 'thread', handedOffAt: null, handoff: null });
    const { reply, conversation } = await world.post('and now?', inThread('thread'));
    expect([reply.content, conversation.id]).toEqual(['welcome', id]);
  });

  it('begins the idle time anew', async () => {
    const id = await opened();
    await handOff(id);
    idleOut();
    await resume(id);
    world.clock.set(world.clock.now() + world.settings.conversationIdleMs - 1);
    expect(await resume(id)).toMatchObject({ status: 'active' });
    world.clock.set(world.clock.now() + 1);
    await expect(resume(id)).rejects.toMatchObject({ code: 'conversation_ended' });
  });

  it('that is asked for again under its key leaves a later hand-off as it is', async () => {
    const id = await opened();
    await handOff(id);
    await resume(id, world.context('key'));
    await handOff(id);
    expect(await resume(id, world.context('key', true))).toMatchObject({ status: 'handed_off' });
  });
});
