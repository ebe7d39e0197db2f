import { agentContract } from '@ports/contracts/agent.contract';
import type { CustomerMemory } from '@ports/agent.port';
import { ANNA, NO_MEMORY, agentTurn } from '@testing/agent-turn';
import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { MdastPlainText } from '../plain-text/plain-text.mdast.js';
import { ScriptedAgent } from './agent.scripted.js';

const agent = new ScriptedAgent(new MdastPlainText());
const NEVER = new AbortController().signal;

agentContract('ScriptedAgent', async () => ({ agent, close: async () => undefined }));

function chatOn(ledger: FakeLedger, timeZone = 'UTC'): Chat {
  return new Chat(agent, { toolbox: ledger, timeZone });
}

const earlier: CustomerMemory = {
  appointments: [
    {
      id: 'apt_1',
      service: 'dental_cleaning',
      startsAt: Date.UTC(2026, 2, 9, 9),
      endsAt: Date.UTC(2026, 2, 9, 9, 30),
      timeZone: 'Europe/Berlin',
      status: 'confirmed',
    },
  ],
  conversations: [{ startedAt: 0, endReason: 'agent', lines: [] }],
};

describe('greeting', () => {
  it('greets a stranger and says what can be done', async () => {
    expect(await new Chat(agent).say('Hello!')).toMatch(/^Hello! I can book/);
  });

  it('greets a returning customer as one, by name, with the next appointment', async () => {
    const chat = new Chat(agent, { customer: ANNA, memory: earlier });
    const greeting = await chat.say('Hi there');
    expect(greeting).toContain('Welcome back, Anna Schmidt!');
    expect(greeting).toContain('**dental_cleaning** on **Monday, 9 March 2026 at 10:00** (Europe/Berlin; 09:00 UTC)');
  });

  it('greets a returning customer in the first reply, whatever was said, and only there', async () => {
    const chat = new Chat(agent, { customer: { ...ANNA, name: null }, memory: earlier });
    expect(await chat.say('Where can I park?')).toMatch(/^Welcome back! [^]+Where can I park\?/);
    expect(await chat.say('Is it free?')).not.toContain('Welcome back');
  });

  it('does not take a new customer for a returning one', async () => {
    expect(await new Chat(agent, { customer: ANNA, memory: NO_MEMORY }).say('Hello')).toMatch(/^Hello, Anna Schmidt! /);
  });
});

describe('handing over and closing', () => {
  it('hands over with what was said last', async () => {
    const chat = new Chat(agent);
    await chat.say('My bill is **wrong**');
    const { actions } = await chat.reply('representative');
    expect(actions).toEqual([
      {
        type: 'handoff',
        reason: 'customer_requested',
        summary: 'Asked for a person. Last messages: “My bill is wrong” “representative”',
      },
    ]);
  });

  it('hands over with no more than 500 characters, none of them half an emoji', async () => {
    const chat = new Chat(agent);
    for (let post = 0; post < 3; post++) await chat.say(`x${'😀'.repeat(150)}`);
    const { actions } = await chat.reply(`human ${'😀'.repeat(150)}`);
    const summary = actions[0]?.type === 'handoff' ? (actions[0].summary ?? '') : '';
    expect([...summary].length).toBeLessThanOrEqual(500);
    expect(summary).toContain('😀');
    expect(summary.isWellFormed()).toBe(true);
  });

  it('hands over when its offer is taken', async () => {
    const chat = new Chat(agent);
    expect(await chat.say('Are you human?')).toContain("I'm an automated assistant.");
    expect((await chat.reply('yes please')).actions).toMatchObject([{ type: 'handoff' }]);
  });

  it('closes as resolved', async () => {
    expect((await new Chat(agent).reply('thanks, done')).actions).toEqual([{ type: 'end_conversation', reason: 'resolved' }]);
  });

  it('does what is asked before it closes', async () => {
    const ledger = new FakeLedger();
    ledger.add('cleaning', '2026-03-03T10:00:00Z');
    const { content, actions } = await chatOn(ledger).reply('Please cancel my appointment tomorrow. Goodbye!');
    expect(ledger.appointments[0]).toMatchObject({ status: 'cancelled' });
    expect(content).toMatch(/is cancelled\. Thank you, and goodbye/);
    expect(actions).toEqual([{ type: 'end_conversation', reason: 'resolved' }]);
  });
});

describe('asking for an appointment', () => {
  it("answers with the next live one of the customer's memory", async () => {
    const [next] = earlier.appointments;
    if (next === undefined) throw new Error('no appointment');
    const cancelled = {
      ...next,
      id: 'apt_0',
      startsAt: next.startsAt - 86_400_000,
      endsAt: next.endsAt - 86_400_000,
      status: 'cancelled',
    };
    const memory = { ...earlier, appointments: [cancelled, next] };
    expect(await new Chat(agent, { customer: ANNA, memory, timeZone: 'Europe/Berlin' }).say('When is my appointment?')).toContain(
      '**dental_cleaning** on **Monday, 9 March 2026 at 10:00** (Europe/Berlin), confirmed',
    );
  });

  it('answers with one booked in this conversation where there is no memory', async () => {
    expect(await chatOn(new FakeLedger()).say('book me in tomorrow at 10am', 'when is my appointment?')).toContain(
      'Tuesday, 3 March 2026 at 10:00',
    );
  });
});

describe('anything else', () => {
  it('shows that the message was read', async () => {
    expect(await new Chat(agent).say('Is 2 < 3 and snake_case at AT&T **bold**?')).toContain(
      '“Is 2 < 3 and snake_case at AT&T bold?”',
    );
  });

  it('quotes no markup', async () => {
    const said = await new Chat(agent).say(
      'see <script>alert(1)</script> `<b>x</b>` [here](https://evil.example) \u202e# and\n\n# that',
    );
    expect(said).toContain('“see x here # and that”');
  });

  it('quotes the beginning of what is long', async () => {
    expect((await new Chat(agent).say('word '.repeat(1600))).length).toBeLessThan(500);
  });

  it('reads nothing for a plain message', async () => {
    const unread = () => Promise.reject(new Error('read'));
    const turn = { ...agentTurn({ content: 'Is parking free?' }), transcript: unread, memory: unread };
    expect((await agent.reply(turn, NEVER)).content).toContain('Is parking free?');
  });
});
