import { type TurnParts, agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, completion } from '@testing/fake-model';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;
const BOOKING = { service: 'cut', starts_at: '2026-03-03T10:00:00Z' };

describe('an answer of a model', () => {
  let model: FakeModel;
  let agent: OpenAiAgent;

  beforeAll(async () => {
    model = await FakeModel.start();
  });

  beforeEach(() => {
    model.forget();
    agent = new OpenAiAgent({ baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 10_000 }, new FakeClock());
  });

  afterAll(() => model.stop());

  const ask = (parts: Partial<TurnParts> = {}) => agent.reply(agentTurn({ content: 'When do you open?', ...parts }), NEVER);
  const ending = (finish_reason: string, message: object) => ({ choices: [{ finish_reason, message }] });
  function answering(...answers: unknown[]): void {
    model.script = () => answers[Math.min(model.requests.length, answers.length) - 1];
  }

  describe.each(['length', 'max_tokens', 'content_filter', 'SAFETY'])('that ends with %s', (reason) => {
    const half = ending(reason, { content: 'We open at' });

    it('is asked for once more, briefly', async () => {
      answering(half, completion('At 9.'));
      expect((await ask()).content).toBe('At 9.');
      expect(model.requests).toHaveLength(2);
      expect(model.lastMessages[0]?.content).toContain('at most three short sentences');
    });

    it('is never told', async () => {
      answering(half);
      await expect(ask()).rejects.toMatchObject({ why: 'malformed_reply' });
      expect(model.requests).toHaveLength(2);
    });
  });

  describe.each([
    ['an empty text', { content: '' }],
    ['null', { content: null }],
    ['nothing', {}],
    ['white space', { content: ' \n' }],
    ['thoughts beside it', { content: '', reasoning_content: 'A question of hours.' }],
    ['thoughts in it', { content: '<think>A question of hours.</think>' }],
    ['no parts', { content: [] }],
    ['an empty list of calls', { content: null, tool_calls: [] }],
  ])('that is %s', (_, message) => {
    const empty = ending('stop', message);

    it('is asked for once more', async () => {
      answering(empty, completion('At 9.'));
      expect((await ask()).content).toBe('At 9.');
      expect(model.requests).toHaveLength(2);
    });

    it('is asked for once more after a look at appointments', async () => {
      answering(completion('Let me look.', { name: 'find_appointments', args: {} }), empty, completion('You have none.'));
      expect((await ask({ toolbox: new FakeLedger() })).content).toBe('You have none.');
    });

    it('is asked for no third time', async () => {
      answering(empty);
      expect(await ask()).toEqual({ content: '', actions: [] });
      expect(model.requests).toHaveLength(2);
    });

    it('is not asked for again once nobody waits for the reply', async () => {
      answering(empty);
      expect(await ask({ windowEndsAt: 0 })).toEqual({ content: '', actions: [] });
      expect(model.requests).toHaveLength(1);
    });
  });

  it('that is cut off among its thoughts is asked for once more', async () => {
    answering(ending('length', { content: '<think>A question of' }), completion('At 9.'));
    expect((await ask()).content).toBe('At 9.');
  });

  it('that is cut off behind whole tool calls runs them, without its half sentence', async () => {
    const ledger = new FakeLedger();
    const tool_calls = [{ id: 'c', function: { name: 'book_appointment', arguments: JSON.stringify(BOOKING) } }];
    answering(ending('length', { content: 'I book', tool_calls }), completion(''));
    expect((await ask({ toolbox: ledger })).content).toBe('');
    expect(ledger.appointments).toHaveLength(1);
  });

  it('that is cut off within a tool call is asked for once more', async () => {
    const ledger = new FakeLedger();
    const tool_calls = [{ id: 'c', function: { name: 'book_appointment', arguments: '{"service":"cu' } }];
    answering(ending('length', { content: null, tool_calls }), completion('At 9.'));
    expect((await ask({ toolbox: ledger })).content).toBe('At 9.');
    expect(ledger.calls).toEqual([]);
  });

  it('that is a call as text runs it, and its result goes back as that of any call', async () => {
    const ledger = new FakeLedger();
    const call = { name: 'book_appointment', arguments: BOOKING };
    answering(completion(`<tool_call>${JSON.stringify(call)}</tool_call>`), completion('Booked.'));
    expect((await ask({ toolbox: ledger })).content).toBe('Booked.');
    expect(ledger.calls).toEqual([{ name: 'book_appointment', args: BOOKING }]);
    expect(model.lastMessages.slice(-2)).toMatchObject([
      { content: null, tool_calls: [{ id: 'call00000', function: { name: 'book_appointment' } }] },
      { role: 'tool', tool_call_id: 'call00000' },
    ]);
  });

  it('that holds a call among words is asked for once more, and never told', async () => {
    const ledger = new FakeLedger();
    const mixed = completion(`I book it: {"name":"book_appointment","arguments":${JSON.stringify(BOOKING)}}`);
    answering(mixed, completion('Which day?'));
    expect((await ask({ toolbox: ledger })).content).toBe('Which day?');
    answering(mixed);
    await expect(ask({ toolbox: ledger })).rejects.toMatchObject({ why: 'malformed_reply' });
    expect(ledger.calls).toEqual([]);
  });

  it.each([
    ['with a channel behind its name', 'book_appointment<|channel|>commentary', BOOKING],
    ['with a namespace', 'functions.book_appointment', BOOKING],
    ['with another namespace', 'default_api:book_appointment', BOOKING],
    ['with a number', 'functions.book_appointment:0', BOOKING],
    ['in capitals', ' Book_Appointment ', BOOKING],
    ['with arguments encoded twice', 'book_appointment', JSON.stringify(JSON.stringify(BOOKING))],
    ['with arguments in a fence', 'book_appointment', `\`\`\`json\n${JSON.stringify(BOOKING)}\n\`\`\``],
    ['with a comma too many', 'book_appointment', `{"service":"cut","starts_at":"${BOOKING.starts_at}",}`],
    ['with a token behind its arguments', 'book_appointment', `${JSON.stringify(BOOKING)}<|call|>`],
  ])('that calls a tool %s runs it', async (_, name, args) => {
    const ledger = new FakeLedger();
    answering(completion(null, { name, args }), completion('Booked.'));
    expect((await ask({ toolbox: ledger })).content).toBe('Booked.');
    expect(ledger.calls).toEqual([{ name: 'book_appointment', args: BOOKING }]);
  });

  it('whose arguments hold a raw line break runs them with it', async () => {
    const ledger = new FakeLedger();
    answering(
      completion(null, { name: 'book_appointment', args: `{"service":"cut\nand wash","starts_at":"${BOOKING.starts_at}"}` }),
      completion('Booked.'),
    );
    await ask({ toolbox: ledger });
    expect(ledger.calls[0]?.args).toEqual({ ...BOOKING, service: 'cut\nand wash' });
  });

  it.each([
    ['in the legacy form', { content: null, function_call: { name: 'book_appointment', arguments: JSON.stringify(BOOKING) } }],
    ['with arguments as an object', { tool_calls: [{ id: 'c', function: { name: 'book_appointment', arguments: BOOKING } }] }],
    ['without a function around it', { tool_calls: [{ id: 'c', name: 'book_appointment', args: BOOKING }] }],
    ['outside of a list', { tool_calls: { function: { name: 'book_appointment', arguments: BOOKING } } }],
    ['as a part', { content: [{ type: 'tool_use', id: 'c', name: 'book_appointment', input: BOOKING }] }],
  ])('that calls a tool %s runs it', async (_, message) => {
    const ledger = new FakeLedger();
    answering({ choices: [{ message }] }, completion('Booked.'));
    expect((await ask({ toolbox: ledger })).content).toBe('Booked.');
    expect(ledger.calls).toEqual([{ name: 'book_appointment', args: BOOKING }]);
  });

  it('whose call names two tools is told that there is no such tool', async () => {
    const ledger = new FakeLedger();
    answering(completion(null, { name: 'book_appointment|cancel_appointment', args: BOOKING }), completion('Sorry.'));
    expect((await ask({ toolbox: ledger })).content).toBe('Sorry.');
    expect([ledger.calls, model.lastMessages.at(-1)?.content]).toEqual([[], expect.stringContaining('unknown_tool')]);
  });

  it('is told without parts that are thoughts', async () => {
    const content = [
      { type: 'reasoning', text: 'A rude one.' },
      { type: 'thinking', thinking: [{ type: 'text', text: 'A rude one.' }] },
      { text: 'A rude one.', thought: true },
      { type: 'summary_text', text: 'A rude one.' },
      { type: 'text', text: 'We open ' },
      { type: 'output_text', text: 'at 9' },
      { text: '.' },
    ];
    answering({ choices: [{ message: { content } }] });
    expect((await ask()).content).toBe('We open at 9.');
    answering({ choices: [{ message: { content: [{ type: 'refusal', refusal: 'I cannot.' }] } }] });
    expect((await ask()).content).toBe('I cannot.');
  });

  it('that is a decision stands where the server fails behind it', async () => {
    const handOff = { name: 'hand_off_to_human', args: { reason: 'asked', summary: 'Wants a person.' } };
    model.script = ({ messages }, response) =>
      messages.at(-1)?.role === 'tool'
        ? void response.writeHead(500).end('{}')
        : completion('One moment.', { name: 'find_appointments', args: {} }, handOff);
    expect(await ask({ toolbox: new FakeLedger() })).toEqual({ content: '', actions: [{ type: 'handoff', ...handOff.args }] });
  });
});
