import { type TurnParts, agentTurn } from '@testing/agent-turn';
import { FakeClock } from '@testing/fake-clock';
import { FakeLedger } from '@testing/fake-ledger';
import { FakeModel, completion, piece, stream } from '@testing/fake-model';
import { RecordedDraft } from '@testing/recorded-draft';
import { OpenAiAgent } from './agent.openai.js';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const BOOKING = { service: 'cut', starts_at: '2026-03-03T10:00:00Z' };
const CALL = { tool_calls: [{ index: 0, id: 'c', function: { name: 'find_appointments', arguments: '{}' } }] };

describe('a reply that the model server streams', () => {
  let model: FakeModel;
  let clock: FakeClock;
  let agent: OpenAiAgent;
  let draft: RecordedDraft;
  let logged: string[];

  beforeAll(async () => {
    model = await FakeModel.start();
  });

  beforeEach(() => {
    model.forget();
    clock = new FakeClock();
    logged = [];
    draft = new RecordedDraft();
    const options = { baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 10_000 };
    agent = new OpenAiAgent(options, clock, (line) => logged.push(line));
  });

  afterAll(() => model.stop());

  const ask = (parts: Partial<TurnParts> = {}) =>
    agent.reply(agentTurn({ content: 'When do you open?', toolbox: new FakeLedger(), draft, ...parts }), NEVER);

  /** Each answer is a list of deltas, or a whole completion. The last one is repeated. */
  function answering(...answers: readonly unknown[]): void {
    model.script = (_, response) => {
      const answer = answers[Math.min(model.requests.length, answers.length) - 1];
      return Array.isArray(answer) ? void stream(response, answer) : answer;
    };
  }

  it('is said piece by piece, each before the server goes on', async () => {
    const said = ['We open', 'We open at nine,', 'We open at nine, and close at **five**.'];
    model.script = (_, response) =>
      void stream(response, ['We open ', 'at nine, ', 'and close at **five**.'], (sent) => draft.untilSaid(said[sent - 1] ?? ''));
    expect((await ask()).content).toBe(said[2]);
    expect(draft.parts).toEqual(['We open', ' at nine,', ' and close at **five**.']);
    expect(model.requests[0]).toMatchObject({ stream: true });
  });

  it('may come as one JSON: nothing is said before it is complete', async () => {
    answering(completion('At nine.'));
    expect((await ask()).content).toBe('At nine.');
    expect(draft.parts).toEqual([]);
  });

  it('ends with its mark, though the connection stays open', async () => {
    model.script = (_, response) =>
      void response.writeHead(200).write(`${piece('At ')}${piece('nine.')}${piece({}, 'stop')}data: [DONE]\n\n`);
    expect((await ask()).content).toBe('At nine.');
    expect(draft.text).toBe('At nine.');
  });

  it.each([
    ['in the text', ['<think>', 'The customer', ' is rude.', '</think>', '\n\nAt ', 'nine.']],
    ['in brackets', ['[THI', 'NK]The customer is rude.[/THI', 'NK]At ', 'nine.']],
    ['beside it', [{ reasoning_content: 'The customer is rude.' }, 'At ', 'nine.']],
    ['in several parts', ['<think>One</think><think>', 'The customer is rude.</think>', 'At nine.', '']],
  ])('is said without the thoughts %s', async (_, deltas) => {
    answering(deltas);
    expect((await ask()).content).toBe('At nine.');
    expect(draft.everSaid).toBe('At nine.');
    expect(draft.resets).toBe(0);
  });

  it.each([
    ['as parts', [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Rude.' }] }] }, 'At ', 'nine.']],
    ['in channels', ['<|channel|>analysis<|mess', 'age|>Rude.<|end|><|start|>assistant<|channel|>final<|message|>At ', 'nine.']],
    ['in channels without tokens', ['analysis', 'Rude.assistant', 'finalAt ', 'nine.']],
    ['in words', ["Here's my ", 'thought process: Rude. ', "Here's my response: At ", 'nine.']],
    ['as steps', ['Thought', ': Rude.\nFinal Answer: ', 'At nine.']],
  ])('never says thoughts, be they known only later: %s', async (_, deltas) => {
    answering(deltas);
    expect((await ask()).content.trim()).toBe('At nine.');
    expect(draft.everSaid).not.toContain('Rude');
  });

  it('is taken back when it turns out to stand before a call, and what follows the call is said', async () => {
    answering(['I look it up. ', 'One moment.', CALL], ['You have ', 'none.']);
    expect((await ask()).content).toBe('You have none.');
    expect(draft.parts).toEqual(['I look it up.', ' One moment.', null, 'You have', ' none.']);
  });

  it('is nothing of a call that is text', async () => {
    const ledger = new FakeLedger();
    const call = JSON.stringify({ name: 'book_appointment', arguments: BOOKING });
    answering([call.slice(0, 5), call.slice(5, 20), call.slice(20)], ['Booked.', '']);
    expect((await ask({ toolbox: ledger })).content).toBe('Booked.');
    expect(draft.parts).toEqual(['Booked.']);
    expect(ledger.calls).toHaveLength(1);
  });

  it('is taken back when a call is among its words, and when it is cut off', async () => {
    answering(['I book: ', '{"name":"book_appointment",', `"arguments":${JSON.stringify(BOOKING)}}`], ['Which ', 'day?']);
    expect((await ask()).content).toBe('Which day?');
    expect(draft.parts).toEqual(['I book:', null, 'Which', ' day?']);
  });

  it('is taken back when the server fails in the midst of it, and there is no reply', async () => {
    model.script = (_, response) =>
      void response.writeHead(200).end(`${piece('We open at ')}data: {"error":{"message":"gone","code":500}}\n\n`);
    await expect(ask()).rejects.toMatchObject({ why: 'http_error' });
    expect(draft.parts).toEqual(['We open at', null]);
  });

  it('is taken back when it was cut off', async () => {
    model.script = (_, response) =>
      void (model.requests.length === 1 ? response.end(piece('We open', 'length')) : stream(response, ['At ', 'nine.']));
    expect((await ask()).content).toBe('At nine.');
    expect(draft.parts).toEqual(['We open', null, 'At', ' nine.']);
  });

  it('stays within the time for the whole answer', async () => {
    const options = { baseUrl: model.baseUrl, apiKey: null, model: 'tiny', timeoutMs: 150 };
    model.script = (_, response) => void response.writeHead(200).write(piece('We open at '));
    const hasty = new OpenAiAgent(options, clock).reply(agentTurn({ content: 'Hi', draft }), NEVER);
    await expect(hasty).rejects.toMatchObject({ why: 'timeout' });
    expect(draft.text).toBe('');
  });

  describe('whose thoughts end with a mark and begin with none', () => {
    const deltas = ['The customer ', 'is rude.', '\n</think>\n\nAt ', 'nine.'];

    it('says nothing more before its end, for an hour, and it is logged once', async () => {
      answering(deltas);
      expect((await ask()).content).toBe('At nine.');
      expect(draft.text).not.toContain('At nine');
      for (let count = 0; count < 2; count += 1) {
        answering(completion(deltas.join('')));
        draft = new RecordedDraft();
        expect((await ask()).content).toBe('At nine.');
        expect([draft.parts, model.requests.at(-1)?.stream]).toEqual([[], undefined]);
      }
      expect(logged.filter((line) => line.includes('without a mark before them'))).toHaveLength(1);
      await clock.advance(HOUR_MS);
      answering(['At ', 'nine.']);
      await ask();
      expect(draft.parts).toEqual(['At', ' nine.']);
    });
  });

  describe('where it streams nothing', () => {
    it.each([
      [400, 'Streaming is not supported for this model.'],
      [400, "Unsupported parameter: 'stream'"],
      [400, 'Your organization must be verified to stream this model.'],
      [422, '{"loc":["body","stream"],"msg":"Extra inputs are not permitted"}'],
      [500, 'Cannot use tools with stream'],
      [501, 'stream=True is not implemented'],
    ])('is asked for without, with tools, and that is logged once: %d %s', async (status, message) => {
      model.script = (request, response) =>
        request.stream ? void response.writeHead(status).end(JSON.stringify({ error: { message } })) : completion('At nine.');
      for (let count = 0; count < 2; count += 1) expect((await ask()).content).toBe('At nine.');
      expect(model.requests.map((each) => [each.stream, each.tools !== undefined])).toEqual([
        [true, true],
        [undefined, true],
        [undefined, true],
      ]);
      expect(logged.filter((line) => line.includes('takes no stream'))).toHaveLength(1);
    });

    it('is asked for without at last, when the server gives no reason', async () => {
      model.script = (request, response) =>
        request.stream ? void response.writeHead(400).end('{"error":{"message":"Bad request"}}') : completion('At nine.');
      expect((await ask()).content).toBe('At nine.');
      expect(model.requests.length).toBeLessThanOrEqual(4);
    });

    it('is not asked for without, when the server only repeats the request', async () => {
      const error = { message: 'tools are not supported', input: { stream: true } };
      model.script = (request, response) =>
        request.tools ? void response.writeHead(400).end(JSON.stringify({ error })) : completion('At nine.');
      expect((await ask()).content).toBe('At nine.');
      expect(model.requests.at(-1)).toMatchObject({ stream: true });
    });
  });
});
