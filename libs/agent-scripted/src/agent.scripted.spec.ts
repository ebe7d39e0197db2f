import { agentContract } from '@ports/contracts/agent.contract';
import type { CustomerMemory, ToolResult } from '@ports/agent.port';
import { ANNA, NO_MEMORY, agentTurn } from '@testing/agent-turn';
import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent();
const NEVER = new AbortController().signal;

agentContract('ScriptedAgent', async () => ({ agent, close: async () => undefined }));

const chatOn = (ledger: FakeLedger, timeZone = 'UTC') => new Chat(agent, { toolbox: ledger, timeZone });

function ledgerOf(...appointments: readonly (readonly [service: string, startsAt: string])[]): FakeLedger {
  const ledger = new FakeLedger();
  for (const [service, startsAt] of appointments) ledger.add(service, startsAt);
  return ledger;
}

const cleaning = {
  id: 'apt_1',
  service: 'dental_cleaning',
  startsAt: Date.UTC(2026, 2, 9, 9),
  endsAt: Date.UTC(2026, 2, 9, 9, 30),
  timeZone: 'Europe/Berlin',
  status: 'confirmed',
};
const earlier: CustomerMemory = { appointments: [cleaning], conversations: [{ startedAt: 0, endReason: 'agent', lines: [] }] };

describe('a greeting', () => {
  it('says to a stranger what can be done', async () => {
    expect(await new Chat(agent).say('Hello!')).toMatch(/^Hello! I can book/);
  });

  it('of a returning customer is answered as one, by name, with the next appointment in its own zone', async () => {
    const greeting = await new Chat(agent, { customer: ANNA, memory: earlier }).say('Hi there');
    expect(greeting).toContain('Welcome back, Anna Schmidt!');
    expect(greeting).toContain('**dental_cleaning** on **Monday, 9 March 2026 at 10:00** (Europe/Berlin; 09:00 UTC)');
  });

  it('stands in the first reply of a conversation only, whatever was said', async () => {
    const chat = new Chat(agent, { customer: { ...ANNA, name: null }, memory: earlier });
    expect(await chat.say('Where can I park?')).toMatch(/^Welcome back! [^]+Where can I park\?/);
    for (const more of ['Is it free?', 'Hello', 'when is my appointment?'])
      expect(await chat.say(more)).not.toMatch(/Welcome back|Hello/);
  });

  it('takes a new customer for no returning one', async () => {
    expect(await new Chat(agent, { customer: ANNA, memory: NO_MEMORY }).say('Hello')).toMatch(/^Hello, Anna Schmidt! /);
    expect(await new Chat(agent, { customer: ANNA, toolbox: new FakeLedger() }).say('Book a shave tomorrow at 9am')).toMatch(
      /^Done/,
    );
  });
});

describe('a hand-over', () => {
  it('tells what was said last', async () => {
    const chat = new Chat(agent);
    await chat.say('My bill is **wrong**');
    expect((await chat.reply('representative')).actions).toEqual([
      {
        type: 'handoff',
        reason: 'customer_requested',
        summary: 'Asked for a person. Last messages: “My bill is \\*\\*wrong\\*\\*” “representative”',
      },
    ]);
  });

  it('tells no more than 500 characters, none of them half an emoji', async () => {
    const chat = new Chat(agent);
    for (let post = 0; post < 3; post++) await chat.say(`x${'😀'.repeat(150)}`);
    const { actions } = await chat.reply(`human ${'😀'.repeat(150)}`);
    const summary = actions[0]?.type === 'handoff' ? (actions[0].summary ?? '') : '';
    expect([...summary].length).toBeLessThanOrEqual(500);
    expect(summary).toContain('😀');
    expect(summary.isWellFormed()).toBe(true);
  });

  it('tells no phone number and no address', async () => {
    const chat = new Chat(agent);
    await chat.say('I am bob@example.com');
    const { actions } = await chat.reply('give me a human, my number is +49 151 2345678');
    expect(JSON.stringify(actions)).not.toMatch(/example|2345678/);
  });
});

describe('details of contact', () => {
  it.each([
    'my number is +49 151 2345678',
    'write to bob@example.com',
    '(555) 123-4567',
    'book a shave tomorrow at 9, I am bob@example.com',
  ])('are acknowledged, and neither quoted nor noted: %s', async (content) => {
    const ledger = new FakeLedger();
    const { content: reply, note = '' } = await chatOn(ledger).reply(content);
    expect(reply).toContain("I can't store them");
    expect(`${reply}${note}${JSON.stringify(ledger.calls)}`).not.toMatch(/2345678|example|4567/);
  });
});

describe('the question for an appointment', () => {
  it("is answered with the next live one of the customer's, and how many more there are", async () => {
    const ledger = ledgerOf(['shave', '2026-03-06T09:00:00Z'], ['cut', '2026-03-04T09:00:00Z'], ['wash', '2026-03-03T09:00:00Z']);
    ledger.appointments = ledger.appointments.map((one) => (one.service === 'wash' ? { ...one, status: 'cancelled' } : one));
    const said = await chatOn(ledger, 'Europe/Berlin').say('When is my appointment?');
    expect(said).toContain(
      'Your next appointment: **cut** on **Wednesday, 4 March 2026 at 09:00** (UTC; 10:00 Europe/Berlin), pending.',
    );
    expect(said).toContain('You have 1 more after that.');
  });
});

describe('an offer', () => {
  it('is made anew where the appointment has changed meanwhile', async () => {
    const ledger = ledgerOf(['haircut', '2026-03-04T10:00:00Z']);
    const chat = chatOn(ledger);
    await chat.say('can you cancel my haircut?');
    await ledger.call('reschedule_appointment', { appointment_id: 'apt_1', starts_at: '2026-03-05T10:00:00Z' });
    expect(await chat.say('yes')).toMatch(/has changed meanwhile[^]+Shall I cancel \*\*haircut\*\* on \*\*Thursday, 5 March/);
    expect(ledger.appointments).toMatchObject([{ status: 'rescheduled' }]);
    await chat.say('yes');
    expect(ledger.appointments).toMatchObject([{ status: 'cancelled' }]);
  });

  it('falls where the appointment is gone, or its time has passed', async () => {
    const ledger = ledgerOf(['haircut', '2026-03-04T10:00:00Z']);
    const chat = chatOn(ledger);
    await chat.say('can you confirm my haircut?');
    await ledger.call('cancel_appointment', { appointment_id: 'apt_1' });
    expect(await chat.say('yes')).toContain('no longer to come');
    expect(ledger.appointments).toMatchObject([{ status: 'cancelled' }]);
    const late = new Chat(agent, { toolbox: new FakeLedger() }, Date.UTC(2026, 2, 2, 9, 59, 55));
    await late.say('can you book a shave today at 10:00?');
    expect(await late.say('yes')).toContain('already passed');
  });

  it('is neither repeated nor forgotten where a turn in between has failed', async () => {
    const ledger = new FakeLedger();
    const chat = chatOn(ledger);
    await chat.say('can you book a shave tomorrow at 10?');
    const unseen = agentTurn({ content: 'yes', toolbox: ledger });
    await expect(agent.reply({ ...unseen, transcript: () => Promise.reject(new Error('lost')) }, NEVER)).rejects.toThrow();
    await chat.say('yes');
    expect(ledger.appointments).toHaveLength(1);
  });

  it('notes no word of the customer but a service', async () => {
    const { note = '' } = await chatOn(new FakeLedger()).reply('book a shave tomorrow at 10 for zorro');
    expect(JSON.parse(note)).toMatchObject({ offer: { verb: 'book', service: 'shave' } });
    expect(note).not.toContain('zorro');
  });
});

describe('a tool that refuses', () => {
  const answers = (code: string, message: string): Extract<ToolResult, { ok: false }> => ({ ok: false, code, message });

  it('is told with its reason, and a person is offered', async () => {
    const ledger = new FakeLedger();
    ledger.refusal = answers('calendar_unavailable', 'The calendar is down.');
    const chat = chatOn(ledger);
    expect(await chat.say('book a shave tomorrow at 10am')).toMatch(/did not work: The calendar is down\. .*person\?$/);
    expect(ledger.calls.at(-1)).toMatchObject({ name: 'report_failed_attempt', args: { code: 'calendar_unavailable' } });
    expect((await chat.reply('yes')).actions).toMatchObject([{ type: 'handoff' }]);
  });

  it.each(['book a shave tomorrow at 10am', 'cancel my haircut', 'confirm it', 'move it to 3pm'])(
    'without saying whether it did is told as that: %s',
    async (content) => {
      const ledger = ledgerOf(['haircut', '2026-03-04T10:00:00Z']);
      ledger.refusal = answers('internal_error', 'It may have been done or not.');
      expect(await chatOn(ledger).say(content)).toContain("something went wrong, and I can't tell whether that is done");
    },
  );

  it('since the customer has that appointment already is told with that one', async () => {
    const ledger = ledgerOf(['haircut', '2026-03-04T10:00:00Z'], ['haircut', '2026-03-05T10:00:00Z']);
    ledger.refusal = answers('appointment_duplicate', 'There is one already.');
    const said = await chatOn(ledger).say('move my haircut on Wednesday to Thursday');
    expect(said).toContain('an appointment there already: **haircut** on **Thursday, 5 March 2026 at 10:00**');
  });

  it('since the time has passed is told as that', async () => {
    const ledger = new FakeLedger();
    ledger.refusal = answers('starts_in_past', 'Too late.');
    expect(await chatOn(ledger).say('book a shave tomorrow at 10am')).toContain('already passed');
  });

  it.each(['when is my appointment?', 'cancel my appointment', 'confirm it', 'move my haircut to friday at 2pm'])(
    'to look claims nothing of the appointments: %s',
    async (content) => {
      const ledger = ledgerOf(['haircut', '2026-03-04T10:00:00Z']);
      ledger.unseen = true;
      const chat = chatOn(ledger);
      expect(await chat.say(content)).toContain(
        "I can't see your appointments at the moment. Shall I connect you with a person?",
      );
      expect(ledger.changes).toBe(0);
      expect((await chat.reply('yes')).actions).toMatchObject([{ type: 'handoff' }]);
    },
  );

  it('is not called where there is none', async () => {
    expect(await new Chat(agent).say('book a shave tomorrow at 10am')).toContain("I can't book or change appointments here yet");
    expect(await new Chat(agent).say('when is my appointment?')).toContain("I can't see any appointments from here yet");
  });
});

describe('a message that is answered late', () => {
  const answered = async (content: string, saidAt: string, now: string, ledger = new FakeLedger()) => {
    const turn = agentTurn({ content, saidAt: Date.parse(saidAt), now: Date.parse(now), toolbox: ledger });
    const { content: reply } = await agent.reply(turn, NEVER);
    return [ledger.appointments.map(({ starts_at }) => starts_at.slice(5, 16)), reply] as const;
  };

  it.each([
    ['book a shave for tomorrow at 10', '03-03T10:00'],
    ['book a shave for Tuesday at 00:01', '03-03T00:01'],
    ['book a shave for next Monday at 9', '03-09T09:00'],
  ])('is read by the time it was said: %s', async (content, start) => {
    expect((await answered(content, '2026-03-02T23:59:00Z', '2026-03-03T00:00:30Z'))[0]).toEqual([start]);
  });

  it.each(['book a shave for today at 9:05', 'move it to today at 9:05'])(
    'asks again where the time has passed since: %s',
    async (content) => {
      const ledger = ledgerOf(['cleaning', '2026-03-05T10:00:00Z']);
      const [starts, reply] = await answered(content, '2026-03-02T09:00:00Z', '2026-03-02T09:10:00Z', ledger);
      expect([starts, reply]).toEqual([['03-05T10:00'], expect.stringContaining('That time has already passed.')]);
    },
  );

  it('does not take a weekday named before it for the same one of the next week', async () => {
    const chat = new Chat(agent, { toolbox: new FakeLedger() });
    const { content, note } = await chat.reply('book a shave on Wednesday');
    const at = Date.UTC(2026, 2, 2, 9);
    const before = [
      { role: 'user', content: 'book a shave on Wednesday', at },
      { role: 'assistant', content, at, ...(note !== undefined && { note }) },
    ] as const;
    const ledger = new FakeLedger();
    const turn = agentTurn({ content: 'at 10', before, now: Date.parse('2026-03-04T10:30:00Z'), toolbox: ledger });
    expect((await agent.reply(turn, NEVER)).content).toContain('That time has already passed.');
    expect(ledger.appointments).toEqual([]);
  });
});

describe('anything else', () => {
  it('is shown to have been read, with its marks as text', async () => {
    expect(await new Chat(agent).say('Is 2 < 3 and snake_case at AT&T **bold**?')).toContain(
      '“Is 2 \\< 3 and snake_case at AT&T \\*\\*bold\\*\\*?”',
    );
  });

  it('is quoted without markup, links, and signs of direction', async () => {
    const said = await new Chat(agent).say('see <script>alert(1)</script> [here](https://evil.example) \u202e# and\n\n# that');
    expect(said).toContain('“see \\<script\\>alert(1)\\</script\\> \\[here\\](… \\# and \\# that”');
  });

  it('is quoted with its beginning where it is long', async () => {
    expect((await new Chat(agent).say('word '.repeat(1600))).length).toBeLessThan(500);
  });
});

describe('a booking for a customer who is not known', () => {
  const NOW = Date.UTC(2026, 2, 2, 9);
  const booking = 'Book me a haircut tomorrow at 10am';
  const asks = /what phone number or e-mail address can we reach you at\? Shall I confirm it\?$/;

  it('is made, asks once who it is for, and can be confirmed by a yes', async () => {
    const ledger = new FakeLedger();
    const chat = new Chat(agent, { toolbox: ledger }, NOW);
    expect((await chat.reply(booking)).content).toMatch(asks);
    expect((await chat.reply('yes')).content).toMatch(/is confirmed/);
    const next = await chat.reply('Book me a massage tomorrow at 3pm');
    expect(next.content).toMatch(/is booked\. Shall I confirm it\?$/);
    expect(ledger.appointments.map(({ service, status }) => [service, status])).toEqual([
      ['haircut', 'confirmed'],
      ['massage', 'pending'],
    ]);
  });

  it('stays offered while contact details are given', async () => {
    const ledger = new FakeLedger();
    const chat = new Chat(agent, { toolbox: ledger }, NOW);
    await chat.reply(booking);
    expect((await chat.reply('my phone number is +4915112345678')).content).toMatch(/^Thank you for the contact details/);
    await chat.reply('yes');
    expect(ledger.appointments.map(({ status }) => status)).toEqual(['confirmed']);
  });

  it.each([
    ['the customer is known', ANNA, 'Hello'],
    ['contact details were given before', null, 'my phone number is +4915112345678'],
  ])('asks nothing where %s', async (_why, customer, before) => {
    const chat = new Chat(agent, { toolbox: new FakeLedger(), customer }, NOW);
    await chat.reply(before);
    expect((await chat.reply(booking)).content).toMatch(/is booked\. Shall I confirm it\?$/);
  });
});
