import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

describe('where an appointment is moved to', () => {
  it.each([
    ['move it to Friday 3pm CAT', 'At what time?'],
    ['move it to Friday at 3pm Narnia time', 'At what time?'],
    ['move it to 3pm CAT', 'Which day and time would suit you?'],
    ['move it to the 31st of next month at 11:00', 'Which day and time would suit you?'],
  ])('is asked for where part of it is not understood: %s', async (content, question) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    const chat = new Chat(agent, { toolbox: ledger });
    expect((await chat.say(content)).endsWith(question)).toBe(true);
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-05T10:00:00.000Z' }]);
    await chat.say('on Friday at 4pm');
    expect(ledger.appointments).toMatchObject([{ starts_at: '2026-03-06T16:00:00.000Z' }]);
  });
});
