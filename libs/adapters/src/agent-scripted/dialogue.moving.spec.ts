import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

describe('moving an appointment', () => {
  it.each([
    ['move it to the next day', '2026-03-06T10:00:00.000Z'],
    ['move it to 9am on the following day', '2026-03-06T09:00:00.000Z'],
    ['move it to 9am EST', '2026-03-05T14:00:00.000Z'],
  ])("counts from the appointment's own day: %s", async (content, starts_at) => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    await new Chat(agent, { toolbox: ledger }).say(content);
    expect(ledger.appointments).toMatchObject([{ starts_at }]);
  });
});
