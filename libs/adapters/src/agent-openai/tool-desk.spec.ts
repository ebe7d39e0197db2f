import type { Toolbox } from '@ports/agent.port';
import { FakeLedger } from '@testing/fake-ledger';
import { ToolDesk } from './tool-desk.js';

const NEVER = new AbortController().signal;
const FIND = { id: 'c', name: 'find_appointments', args: {} };

describe('the tools of a turn', () => {
  it('show a result of 16,000 characters, and of a longer one that it is too long', async () => {
    const answering = (length: number): Toolbox => ({
      tools: new FakeLedger().tools,
      call: () => Promise.resolve({ ok: true, result: { text: 'x'.repeat(length - '{"text":""}'.length) } }),
    });
    expect(await new ToolDesk(answering(16_000), NEVER).run(FIND)).toHaveLength(16_000);
    expect(JSON.parse(await new ToolDesk(answering(16_001), NEVER).run(FIND))).toMatchObject({
      error: { code: 'result_too_long' },
    });
  });

  it('show of a hundred appointments the soonest that there is room for, and that there are more', async () => {
    const ledger = new FakeLedger();
    const hours = Array.from({ length: 100 }, (_, hour) => new Date(Date.UTC(2026, 2, 2, hour)).toISOString());
    for (const startsAt of hours) ledger.add('Kürzen "und" 👍'.repeat(5), startsAt);
    const text = await new ToolDesk(ledger, NEVER).run(FIND);
    const { appointments, note } = JSON.parse(text);
    expect(appointments).toEqual(ledger.appointments.slice(0, appointments.length));
    expect(note).toMatch(/more/);
    const next = JSON.stringify(ledger.appointments[appointments.length]);
    expect([text.length <= 16_000, text.length + next.length + 1 > 16_000]).toEqual([true, true]);
  });

  it('change nothing any more once the turn is given up', async () => {
    const ledger = new FakeLedger();
    await expect(new ToolDesk(ledger, AbortSignal.abort()).run(FIND)).rejects.toThrow();
    expect(ledger.calls).toEqual([]);
  });

  it.each([
    ['hand_off_to_human', { reason: ' ', summary: '' }, { type: 'handoff', reason: 'agent_decision', summary: null }],
    ['hand_off_to_human', { reason: 5, summary: [] }, { type: 'handoff', reason: 'agent_decision', summary: null }],
    ['end_conversation', { reason: '\n' }, { type: 'end_conversation', reason: 'resolved' }],
  ])('decide by %s without a reason of their own too: %j', async (name, args, action) => {
    const desk = new ToolDesk(new FakeLedger(), NEVER);
    await desk.run({ id: 'c', name, args });
    expect(desk.action).toEqual(action);
  });

  it('decide with bounded, well-formed words', async () => {
    const desk = new ToolDesk(new FakeLedger(), NEVER);
    const long = ` \ud83d${'👍'.repeat(3_000)}`;
    await desk.run({ id: 'c', name: 'hand_off_to_human', args: { reason: long, summary: long } });
    expect(desk.action).toEqual({
      type: 'handoff',
      reason: `\ufffd${'👍'.repeat(254)}`,
      summary: `\ufffd${'👍'.repeat(1_999)}`,
    });
  });
});
