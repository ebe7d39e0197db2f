import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

describe('a question about an appointment', () => {
  it.each([
    ['when is my appointment?', 'Your next appointment: **cleaning** on **Tuesday, 3 March', 'You have 1 more after that.'],
    ['when is my massage', 'Your appointment: **massage** on **Friday, 6 March', 'You have 1 more.'],
    ['do I have anything on Friday?', 'Your appointment: **massage** on **Friday, 6 March', 'You have 1 more.'],
    ['do I have anything on Thursday?', 'I see none then. Your next appointment: **cleaning**', 'You have 1 more after that.'],
  ])('is answered with the one it names, else the next: %s', async (question, answer, others) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    ledger.add('massage', '2026-03-06T10:00:00Z');
    const said = await new Chat(agent, { toolbox: ledger }).say(question);
    expect(said).toContain(answer);
    expect(said).toContain(others);
  });

  it('says that none is called so', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    expect(await new Chat(agent, { toolbox: ledger }).say('cancel my massage')).toContain('I see no such appointment.');
    expect(ledger.appointments).toMatchObject([{ status: 'pending' }]);
  });
});
