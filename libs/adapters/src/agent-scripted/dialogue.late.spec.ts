import { agentTurn } from '@testing/agent-turn';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());

/** What comes of a message that was said on Monday, 2 March 2026 and is answered later. */
async function answered(content: string, saidAt: string, now: string, ledger = new FakeLedger()) {
  const parts = { content, saidAt: Date.parse(saidAt), now: Date.parse(now), toolbox: ledger };
  const { content: reply } = await agent.reply(agentTurn(parts), new AbortController().signal);
  return { reply, starts: ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16)) };
}

describe('a message that is answered late', () => {
  it.each([
    ['book me in for tomorrow at 10', '03-03T10:00'],
    ['book me in for Tuesday at 00:01', '03-03T00:01'],
    ['book me in in two hours', '03-03T01:59'],
    ['book me in for Monday at 9', '03-09T09:00'],
  ])('is read by the time it was said: %s', async (content, start) => {
    const { starts } = await answered(content, '2026-03-02T23:59:00Z', '2026-03-03T00:00:30Z');
    expect(starts).toEqual([start]);
  });

  it('has all of its orders read by then', async () => {
    const content = 'book a cut tomorrow at 10 and then book a massage tomorrow at 12';
    const { starts } = await answered(content, '2026-03-02T23:59:00Z', '2026-03-03T00:01:00Z');
    expect(starts).toEqual(['03-03T10:00', '03-03T12:00']);
  });

  it('moves to the day that was meant', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    const { starts } = await answered('move it to tomorrow', '2026-03-02T23:59:00Z', '2026-03-03T00:01:00Z', ledger);
    expect(starts).toEqual(['03-03T10:00']);
  });

  it.each(['book me in for today at 9:05', 'book me in for Monday at 9:05', 'book me in in 5 minutes'])(
    'asks again where the time has passed since: %s',
    async (content) => {
      const { reply, starts } = await answered(content, '2026-03-02T09:00:00Z', '2026-03-02T09:10:00Z');
      expect(reply).toContain('That time has already passed. Which day and time would suit you?');
      expect(starts).toEqual([]);
    },
  );

  it('does not pass a weekday named before it for the same one of the next week', async () => {
    const [said, asked] = ['book me in for Wednesday', 'Gladly. At what time?'];
    const before = [
      { role: 'user' as const, content: said, at: Date.parse('2026-03-02T09:00:00Z') },
      { role: 'assistant' as const, content: asked, at: Date.parse('2026-03-02T09:00:01Z') },
    ];
    const ledger = new FakeLedger();
    const turn = agentTurn({ content: 'at 10', before, now: Date.parse('2026-03-04T10:30:00Z'), toolbox: ledger });
    const { content: reply } = await agent.reply(turn, new AbortController().signal);
    expect(reply).toContain('That time has already passed.');
    expect(ledger.appointments).toEqual([]);
  });

  it('does not move to a time that has passed since', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-05T10:00:00Z');
    const { reply, starts } = await answered('move it to today at 9:05', '2026-03-02T09:00:00Z', '2026-03-02T09:10:00Z', ledger);
    expect(reply).toContain('That time has already passed.');
    expect(starts).toEqual(['03-05T10:00']);
  });
});
