import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

async function offered(): Promise<{ chat: Chat; ledger: FakeLedger }> {
  const ledger = new FakeLedger();
  const chat = new Chat(agent, { toolbox: ledger });
  await chat.say('book a haircut tomorrow at 10am');
  return { chat, ledger };
}

describe('the offer to confirm', () => {
  it.each(['yes', 'Yes please!', 'ok, do it', 'yes, confirm it', 'yes please, bye', 'yes and thanks'])(
    'is taken with: %s',
    async (answer) => {
      const { chat, ledger } = await offered();
      await chat.say(answer);
      expect(ledger.appointments).toMatchObject([{ status: 'confirmed' }]);
    },
  );

  it.each([
    "please don't",
    'please not',
    'ok no',
    'ok, never mind',
    'ok forget it',
    "please don't move my appointment",
    'please wait',
    'please hold on',
    'please leave it',
    'fine, no',
  ])('is declined with: %s', async (answer) => {
    const { chat, ledger } = await offered();
    expect(await chat.say(answer)).toContain("I'll leave everything as it is");
    expect(ledger.appointments).toMatchObject([{ status: 'pending' }]);
  });

  it.each([
    'right now I am not sure',
    'ok what does it cost?',
    'perfect, but is 11 possible?',
    "thanks, I'll be there on Thursday by bus",
    'ok bye',
    'yes, see you at the book club',
  ])('is left open by: %s', async (answer) => {
    const { chat, ledger } = await offered();
    await chat.say(answer);
    expect(ledger.appointments).toMatchObject([{ status: 'pending', starts_at: '2026-03-03T10:00:00.000Z' }]);
  });

  it.each([
    ['No, at 11 please', '2026-03-03T11:00:00.000Z'],
    ['no wait, Friday at 5', '2026-03-06T17:00:00.000Z'],
    ['yes but at 11', '2026-03-03T11:00:00.000Z'],
    ['actually, Friday', '2026-03-06T10:00:00.000Z'],
    ['make it 11', '2026-03-03T11:00:00.000Z'],
    ['at 11', '2026-03-03T11:00:00.000Z'],
    ['Friday 10:30 please', '2026-03-06T10:30:00.000Z'],
    ['no wait, make it half three', '2026-03-03T15:30:00.000Z'],
    ['actually make it quarter past nine', '2026-03-03T09:15:00.000Z'],
    ['could we do 11 instead?', '2026-03-03T11:00:00.000Z'],
    ['correct it to 11', '2026-03-03T11:00:00.000Z'],
    ['exactly 11 would be better', '2026-03-03T11:00:00.000Z'],
  ])('is answered with another time: %s', async (answer, starts_at) => {
    const { chat, ledger } = await offered();
    await chat.say(answer);
    expect(ledger.appointments).toMatchObject([{ status: 'rescheduled', starts_at }]);
  });

  it('ends the conversation after a yes with a farewell', async () => {
    const { chat } = await offered();
    const { content, actions } = await chat.reply('yes please, bye');
    expect(content).toMatch(/is confirmed\. Thank you, and goodbye/);
    expect(actions).toEqual([{ type: 'end_conversation', reason: 'resolved' }]);
  });

  it('comes after asking for the second of two wishes', async () => {
    const ledger = new FakeLedger();
    const said = await new Chat(agent, { toolbox: ledger }).say('book a haircut tomorrow at 10am and a massage on Monday at 3pm');
    expect(ledger.appointments).toMatchObject([{ service: 'haircut', starts_at: '2026-03-03T10:00:00.000Z' }]);
    expect(said).toMatch(/one at a time: .*\*\*massage\*\*\. Shall I confirm it\?$/);
  });

  it.each([
    ['when is my appointment?', 'can you confirm my appointment on Friday at 9am?'],
    ['do I have an appointment?', 'confirm my appointment on Friday at 9am please'],
  ])('of a booking is not taken by who speaks of a visit there is: %s, %s', async (...said) => {
    const ledger = new FakeLedger();
    await new Chat(agent, { toolbox: ledger }).say(...said);
    expect(ledger.appointments).toEqual([]);
  });

  it('of a booking is not taken by a word of confirming alone', async () => {
    const chat = new Chat(agent, { toolbox: new FakeLedger() });
    expect(await chat.say('when is my appointment?', 'please confirm it')).toContain('no upcoming appointment');
  });

  it.each(['yes please, confirm Friday at 9am', 'Friday 9am, and confirm it', 'yes, Friday at 9am, please confirm'])(
    'of a booking is taken with day, hour and a word of confirming: %s',
    async (said) => {
      const ledger = new FakeLedger();
      await new Chat(agent, { toolbox: ledger }).say('when is my appointment?', said);
      expect(ledger.appointments).toMatchObject([{ status: 'confirmed', starts_at: '2026-03-06T09:00:00.000Z' }]);
    },
  );
});
