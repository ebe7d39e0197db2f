import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { ScriptedAgent } from './agent.scripted.js';
import { WHOSE } from './replies.js';

const agent = new ScriptedAgent();

describe('a conversation that a human gave back', () => {
  it.each([[[]], [['Shall I send you the form?']]])('goes on, with no offer open that was made before: %j', async (said) => {
    const ledger = new FakeLedger();
    ledger.add('checkup', '2026-03-03T10:00:00Z');
    const chat = new Chat(agent, { toolbox: ledger });
    expect(await chat.say('Can I cancel my checkup?')).toContain('Shall I cancel');
    chat.handBack(...said);
    await chat.say('yes');
    expect(ledger.appointments.map(({ status }) => status)).not.toContain('cancelled');
    expect(await chat.say('Can I cancel my checkup?')).toContain('Shall I cancel');
    await chat.say('yes');
    expect(ledger.appointments.map(({ status }) => status)).toEqual(['cancelled']);
  });

  it('has no words of the human that the agent takes for its own', async () => {
    const chat = new Chat(agent, { toolbox: new FakeLedger() });
    await chat.say('Hello');
    chat.handBack(WHOSE);
    expect(await chat.say('Book a shave tomorrow at 9am')).toContain(WHOSE);
  });
});
