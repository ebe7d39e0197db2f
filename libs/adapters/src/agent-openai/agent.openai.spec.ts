import { agentContract } from '@ports/contracts/agent.contract';
import type { AgentReply } from '@ports/agent.port';
import { ANNA, type TurnParts, agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, type ModelAction, type ModelRequest, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;
const KEY = 'sk-not-to-be-seen';

function agentOn(baseUrl: string, timeoutMs = 10_000, apiKey: string | null = KEY): OpenAiAgent {
  return new OpenAiAgent({ baseUrl, apiKey, model: 'tiny', timeoutMs }, new FakeClock());
}

function tinyModel({ messages, tools }: ModelRequest): unknown {
  const last = messages.at(-1);
  if (last?.role === 'tool') return completion(`The tool said ${last.content?.slice(0, 80)}`);
  if (/human/.test(last?.content ?? '')) {
    return completion(null, { name: 'hand_off_to_human', args: { reason: 'customer_requested', summary: 'Wants a person.' } });
  }
  if (/goodbye/.test(last?.content ?? '')) return completion('Bye!', { name: 'end_conversation', args: { reason: 'resolved' } });
  if (/book/i.test(last?.content ?? '') && tools.some((tool) => tool.function.name === 'book_appointment')) {
    return completion(null, { name: 'book_appointment', args: { service: 'visit', starts_at: '2026-03-03T10:00:00Z' } });
  }
  return completion('I read that.');
}

agentContract('OpenAiAgent', async () => {
  const model = await FakeModel.start();
  model.script = tinyModel;
  return { agent: agentOn(model.baseUrl), close: () => model.stop() };
});

describe('OpenAiAgent', () => {
  let model: FakeModel;
  let agent: OpenAiAgent;

  beforeAll(async () => {
    model = await FakeModel.start();
    agent = agentOn(model.baseUrl);
  });

  beforeEach(() => {
    model.forget();
    model.script = () => completion('Hello!');
  });

  afterAll(() => model.stop());

  const ask = (parts: Partial<TurnParts> = {}): Promise<AgentReply> =>
    agent.reply(agentTurn({ content: 'Hello', ...parts }), NEVER);

  function always(...actions: readonly ModelAction[]): void {
    model.script = () => completion(null, ...actions);
  }

  describe('what the model is told', () => {
    it('says when a message was written that waited for its answer', async () => {
      await agent.reply(agentTurn({ content: 'tomorrow at 10', saidAt: Date.UTC(2026, 2, 1, 23, 59) }), NEVER);
      expect(model.lastMessages[0]?.content).toContain('written at 2026-03-01T23:59:00.000Z');
    });

    it('is the briefing, then the transcript in order, the message to answer last', async () => {
      const before = [
        { role: 'user', content: 'Hi', at: 1 },
        { role: 'assistant', content: 'Hello!', at: 2 },
      ] as const;
      await ask({ content: 'And now?', before, instructions: 'Never promise prices.', customer: ANNA });
      expect(model.lastMessages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
      expect(model.lastMessages.slice(1).map(({ content }) => content)).toEqual(['Hi', 'Hello!', 'And now?']);
      expect(model.lastMessages[0]?.content).toMatch(/^Never promise prices\.\n\n/);
    });

    it("names the model, the key and the tools, the server's and the conversation's", async () => {
      await ask({ toolbox: new FakeLedger() });
      expect(model.requests[0]).toMatchObject({ model: 'tiny' });
      expect(model.headers[0]).toMatchObject({ authorization: `Bearer ${KEY}` });
      expect(model.requests[0]?.tools.map((tool) => tool.function.name)).toEqual([
        'find_appointments',
        'book_appointment',
        'confirm_appointment',
        'reschedule_appointment',
        'cancel_appointment',
        'report_failed_attempt',
        'hand_off_to_human',
        'end_conversation',
      ]);
    });

    it('is nothing about this machine, and no key where there is none', async () => {
      await agentOn(model.baseUrl, 10_000, null).reply(agentTurn({ content: 'Hi' }), NEVER);
      expect(model.headers[0]).not.toHaveProperty('authorization');
      expect(Object.keys(model.headers[0] ?? {}).filter((name) => name.startsWith('x-stainless'))).toEqual([]);
    });

    it.each([KEY, null])('is nothing that the environment has for another server, with the key %p', async (key) => {
      process.env['OPENAI_CUSTOM_HEADERS'] =
        'Authorization: Bearer another\nX-Org: another\nUser-Agent: another\nAccept: another/another';
      try {
        await agentOn(model.baseUrl, 10_000, key).reply(agentTurn({ content: 'Hi' }), NEVER);
      } finally {
        delete process.env['OPENAI_CUSTOM_HEADERS'];
      }
      expect(JSON.stringify(model.headers[0])).not.toContain('another');
      expect(model.headers[0]?.authorization).toBe(key === null ? undefined : `Bearer ${key}`);
    });
  });

  describe('tools', () => {
    it("run in order with the model's arguments, and their results go back", async () => {
      const ledger = new FakeLedger();
      const booking = { service: 'haircut', starts_at: '2026-03-03T10:00:00Z' };
      model.script = ({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? completion('Booked.')
          : completion('One moment.', { name: 'find_appointments', args: '' }, { name: 'book_appointment', args: booking });
      expect(await ask({ toolbox: ledger })).toEqual({ content: 'Booked.', actions: [] });
      expect(ledger.calls).toEqual([
        { name: 'find_appointments', args: {} },
        { name: 'book_appointment', args: booking },
      ]);
      const results = model.lastMessages.filter(({ role }) => role === 'tool');
      expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(['call_0', 'call_1']);
      expect(JSON.parse(results[1]?.content ?? '')).toMatchObject({ appointment: { id: 'apt_1', service: 'haircut' } });
    });

    it('that are unknown or given no JSON are answered with why, so that the model can mend it', async () => {
      const ledger = new FakeLedger();
      model.script = ({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? completion('Sorry.')
          : completion(
              null,
              { name: 'drop_tables', args: {} },
              { name: 'book_appointment', args: '{"service": ' },
              { name: 'cancel_appointment', args: '[1]' },
            );
      expect((await ask({ toolbox: ledger })).content).toBe('Sorry.');
      expect(ledger.calls).toEqual([]);
      const codes = model.lastMessages
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => JSON.parse(content ?? '').error.code);
      expect(codes).toEqual(['unknown_tool', 'arguments_invalid', 'arguments_invalid']);
      expect(model.lastMessages.find(({ tool_calls }) => tool_calls)?.tool_calls?.map((call) => call.function.arguments)).toEqual(
        ['{}', '{}', '{}'],
      );
    });

    it('that are asked for without a name are answered too, and repeated under one', async () => {
      model.script = ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? completion('Sorry.') : completion(null, { name: '', args: {} });
      expect((await ask()).content).toBe('Sorry.');
      const asked = model.lastMessages.find(({ tool_calls }) => tool_calls);
      expect(asked?.tool_calls?.map((call) => call.function.name)).toEqual(['unnamed']);
      expect(asked?.content).toBeNull();
    });

    it('keep the id that the server gave, and have one of our own where it gave none, or one twice', async () => {
      const rounds = [['own', '', 'own'], ['own', 'call00000'], ['']];
      model.script = ({ messages }) => {
        const ids = rounds[messages.filter(({ role, tool_calls }) => role === 'assistant' && tool_calls).length];
        const tool_calls = ids?.map((id) => ({ id, type: 'function', function: { name: 'find_appointments', arguments: '{}' } }));
        return { choices: [{ message: { role: 'assistant', content: ids ? null : 'Done.', tool_calls } }] };
      };
      expect((await ask({ toolbox: new FakeLedger() })).content).toBe('Done.');
      const repeated = model.lastMessages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
      expect(repeated).toEqual(['own', 'call00000', 'call00001', 'call00002', 'call00003', 'call00004']);
      expect(model.lastMessages.filter(({ role }) => role === 'tool').map(({ tool_call_id }) => tool_call_id)).toEqual(repeated);
    });

    it('that are refused are answered with the refusal', async () => {
      const ledger = new FakeLedger();
      ledger.refusal = { ok: false, code: 'appointment_invalid_transition', message: 'It is cancelled.' };
      model.script = tinyModel;
      expect((await ask({ content: 'book it', toolbox: ledger })).content).toContain('appointment_invalid_transition');
    });

    it('get five rounds, then the model has to speak', async () => {
      const ledger = new FakeLedger();
      model.script = ({ tool_choice }) =>
        tool_choice === 'none' ? completion('All right.') : completion(null, { name: 'find_appointments', args: {} });
      expect((await ask({ toolbox: ledger })).content).toBe('All right.');
      expect(ledger.calls).toHaveLength(5);
      expect(model.requests).toHaveLength(6);
    });

    it('asked for after the fifth round end the turn without a word', async () => {
      always({ name: 'find_appointments', args: {} });
      expect(await ask({ toolbox: new FakeLedger() })).toEqual({ content: '', actions: [] });
      expect(model.requests).toHaveLength(6);
    });

    it('are neither run nor obeyed after the fifth round, when the model speaks besides', async () => {
      const ledger = new FakeLedger();
      model.script = ({ tool_choice }) =>
        tool_choice === 'none'
          ? completion('Bye!', { name: 'find_appointments', args: {} }, { name: 'end_conversation', args: {} })
          : completion(null, { name: 'drop_tables', args: {} });
      expect(await ask({ toolbox: ledger })).toEqual({ content: 'Bye!', actions: [] });
      expect(ledger.calls).toEqual([]);
    });

    it('get five rounds a turn, and all the calls of each', async () => {
      const ledger = new FakeLedger();
      model.script = ({ tool_choice }) =>
        tool_choice === 'none'
          ? completion('Done.')
          : completion(null, ...Array.from({ length: 3 }, () => ({ name: 'find_appointments', args: {} })));
      expect((await ask({ toolbox: ledger })).content).toBe('Done.');
      expect(ledger.calls).toHaveLength(15);
    });
  });

  describe('handing over and ending', () => {
    it('come with the words of the model', async () => {
      model.script = () =>
        completion('A colleague will help.', { name: 'hand_off_to_human', args: { reason: 'angry', summary: 'Wants money.' } });
      expect(await ask()).toEqual({
        content: 'A colleague will help.',
        actions: [{ type: 'handoff', reason: 'angry', summary: 'Wants money.' }],
      });
      expect(model.requests).toHaveLength(1);
    });

    it('come without a word when the model has none', async () => {
      for (const content of [null, ' \n\0']) {
        model.script = () => completion(content, { name: 'end_conversation', args: {} });
        expect(await ask()).toEqual({ content: '', actions: [{ type: 'end_conversation', reason: 'resolved' }] });
      }
    });

    it('wait for what the model says of a tool that it asked for beside them', async () => {
      const calls = [
        { name: 'find_appointments', args: {} },
        { name: 'end_conversation', args: {} },
      ];
      for (const both of [calls, calls.toReversed()]) {
        model.script = ({ messages }) => (messages.at(-1)?.role === 'tool' ? completion('None.') : completion('Bye!', ...both));
        const actions = [{ type: 'end_conversation', reason: 'resolved' }];
        expect(await ask({ toolbox: new FakeLedger() })).toEqual({ content: 'None.', actions });
      }
    });

    it('are decided once', async () => {
      always({ name: 'hand_off_to_human', args: { reason: 'a' } }, { name: 'end_conversation', args: { reason: 'b' } });
      model.script = ({ messages }) =>
        messages.at(-1)?.role === 'tool'
          ? completion('Fine.')
          : completion(
              null,
              { name: 'hand_off_to_human', args: { reason: 'a' } },
              { name: 'end_conversation', args: { reason: 'b' } },
            );
      expect(await ask()).toEqual({ content: 'Fine.', actions: [{ type: 'handoff', reason: 'a', summary: null }] });
    });
  });

  describe('a reply', () => {
    it('is well-formed and bounded', async () => {
      model.script = (_, response) => {
        const long = JSON.stringify({ choices: [{ message: { content: `x${'👍'.repeat(40_000)}` } }] });
        response.end(long.replace('"x', String.raw`"\ud83d`));
      };
      const { content } = await ask();
      expect([...content]).toHaveLength(32_000);
      expect(content.startsWith('\ufffd👍')).toBe(true);
      expect(content).not.toMatch(/\p{Surrogate}/u);
    });

    it('has no NUL in it and no white space around it', async () => {
      model.script = () => completion(' \nHel\0lo\n ');
      expect((await ask()).content).toBe('Hello');
    });

    it('is what the model said before when it says nothing after its tools', async () => {
      model.script = ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? completion(' ') : completion('One moment.', { name: 'find_appointments', args: {} });
      expect((await ask({ toolbox: new FakeLedger() })).content).toBe('One moment.');
    });

    it('may come in parts, or unlabelled', async () => {
      const message = {
        content: [
          { type: 'text', text: 'Hel' },
          { type: 'text', text: 'lo' },
        ],
      };
      model.script = (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end(JSON.stringify({ choices: [{ message }] }));
      expect((await ask()).content).toBe('Hello');
    });
  });
});
