import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel, echo, type Asked, type ModelReply } from './harness/recording-model.js';

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, AGENT_QUERY: '{"api-version":"1"}', AGENT_HEADERS: '{"api-key":"of the server"}' });
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

let count = 0;
const newThread = () => `thread-${++count}`;
const newCustomer = () => ({ customer: { phone: `+49151${2_000_000 + ++count}` } });
const newTime = () => `2031-06-01T10:${String(++count % 60).padStart(2, '0')}:00Z`;
const refused = (status: number, error: object): ModelReply => ({ status, body: JSON.stringify({ error }) });
const wire = (message: object, finish_reason = 'stop'): ModelReply => ({
  status: 200,
  body: JSON.stringify({ choices: [{ finish_reason, message }] }),
});
const isToolResult = ({ messages }: Asked) => messages.at(-1)?.role === 'tool';

/** What a model server does with prompts that hold more than it takes. */
const bounded = (asked: Asked, most: number): ModelReply | null =>
  JSON.stringify(asked.messages).length > most ? refused(400, { code: 'context_length_exceeded' }) : null;

describe('a customer of a model server', () => {
  it('whose message its filter refuses is answered to the next one, in this thread and in another', async () => {
    model.answering = (asked) =>
      JSON.stringify(asked.messages).includes('BADWORD') ? refused(400, { code: 'content_filter' }) : echo(asked);
    const [thread, customer] = [newThread(), newCustomer()];
    expect((await app.api.say(thread, 'Hello', customer)).status).toBe(200);
    expect(errorOf(await app.api.say(thread, 'BADWORD'))).toEqual([502, 'api_error', 'agent_unavailable']);
    const next = await app.api.say(thread, 'I am sorry');
    expect([next.status, next.body.reply.content]).toEqual([200, 'Echo: I am sorry']);
    expect((await app.api.say(newThread(), 'And here?', customer)).status).toBe(200);
    await eventually(() => expect(app.stderr).toContain('content_filter'));
    expect(app.stderr).not.toContain('BADWORD');
  });

  it('who has said more than its context holds is answered', async () => {
    model.answering = (asked) => bounded(asked, 20_000) ?? echo(asked);
    const thread = newThread();
    for (const letter of 'abcdef') {
      const { status } = await app.api.say(thread, letter.repeat(4_000));
      expect(status).toBe(200);
    }
  });
});

describe('a model server without a part of the protocol', () => {
  it('is told otherwise, and hands over all the same', async () => {
    model.answering = ({ messages, tools }) => {
      if (messages[0]?.role === 'system') return refused(400, { message: 'System role not supported' });
      if (tools.length > 0) return refused(400, { message: 'm does not support tools' });
      return '{"name":"hand_off_to_human","arguments":{"reason":"asked","summary":"Wants a person."}}';
    };
    // Another service, since what is learnt of a server lasts.
    const other = await App.start(model.variables);
    try {
      const { status, body } = await other.api.say(newThread(), 'A human, please');
      expect([status, body.conversation.status]).toEqual([200, 'handed_off']);
      expect(body.reply.actions).toEqual([expect.objectContaining({ type: 'handoff', reason: 'asked' })]);
      expect(body.reply.content).not.toContain('{');
      await eventually(() => expect(other.stderr.match(/takes no tools/g)).toHaveLength(1));
    } finally {
      await other.dispose();
    }
  });
});

describe('an answer of a model server', () => {
  const booking = () => ({ service: 'cut', starts_at: newTime() });
  const wirings: [string, (args: object) => object][] = [
    ['with a channel in its name', (args) => called('book_appointment<|channel|>commentary', JSON.stringify(args))],
    ['with arguments encoded twice', (args) => called('book_appointment', JSON.stringify(JSON.stringify(args)))],
    ['with arguments as an object', (args) => called('functions.book_appointment', args)],
    [
      'in the legacy form',
      (args) => ({ content: null, function_call: { name: 'book_appointment', arguments: JSON.stringify(args) } }),
    ],
    [
      'as text in tags',
      (args) => ({ content: `<tool_call>${JSON.stringify({ name: 'book_appointment', arguments: args })}</tool_call>` }),
    ],
    [
      'as text behind thoughts',
      (args) => ({ content: `<think>Hm.</think>{"name":"book_appointment","parameters":${JSON.stringify(args)}}` }),
    ],
  ];
  const called = (name: string, args: unknown) => ({
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: args } }],
  });

  it.each(wirings)('that calls a tool %s books', async (_, messageOf) => {
    const message = messageOf(booking());
    model.answering = (asked) => (isToolResult(asked) ? 'Done.' : wire(message));
    const { status, body } = await app.api.say(newThread(), 'Book me in');
    expect([status, body.reply.content]).toEqual([200, 'Done.']);
    expect(body.reply.actions).toEqual([expect.objectContaining({ type: 'appointment', operation: 'created' })]);
  });

  it('is told without thoughts', async () => {
    model.answering = () =>
      wire({
        content: [
          { type: 'reasoning', text: 'A rude one. ' },
          { type: 'text', text: '[THINK]Really.[/THINK]We open at 9.' },
        ],
      });
    expect((await app.api.say(newThread(), 'When?')).body.reply.content).toBe('We open at 9.');
  });

  it('is told when it is whole', async () => {
    model.answering = ({ system }) =>
      system.includes('three short sentences') ? 'At 9.' : wire({ content: 'We open at' }, 'length');
    expect((await app.api.say(newThread(), 'When?')).body.reply.content).toBe('At 9.');
    model.answering = () => wire({ content: 'We open at' }, 'content_filter');
    expect(errorOf(await app.api.say(newThread(), 'When?'))).toEqual([502, 'api_error', 'agent_unavailable']);
  });

  it('may be streamed slowly, with a call behind its first words', async () => {
    async function* slowly(...pieces: string[]) {
      for (const piece of pieces) yield new Promise<string>((resolve) => setTimeout(resolve, 20, piece));
    }
    const calls = [{ name: 'book_appointment', args: JSON.stringify(booking()) }];
    model.answering = (asked) =>
      isToolResult(asked)
        ? { pieces: slowly('<think>Fine', '.</think>', 'It is ', 'booked.') }
        : { pieces: slowly('One ', 'moment.'), calls };
    const { body } = await app.api.say(newThread(), 'Book me in');
    expect([body.reply.content, body.reply.actions.length]).toEqual(['It is booked.', 1]);
    expect(model.asked.at(-1)?.isStreamed).toBe(true);
  });

  it('is lost behind a booking, and the reply says what was done', async () => {
    const args = JSON.stringify(booking());
    model.answering = (asked) =>
      isToolResult(asked) ? refused(500, {}) : { calls: [{ name: 'book_appointment', args }], content: 'One moment.' };
    const { status, body } = await app.api.say(newThread(), 'Book me in');
    expect([status, body.reply.content]).toEqual([200, 'Your appointment is booked.']);
    const [action] = body.reply.actions;
    expect(action).toMatchObject({ type: 'appointment', operation: 'created' });
    expect((await app.api.get(`/v1/appointments/${action.appointment_id}`)).body.status).toBe('pending');
    const { data } = (await app.api.get(`/v1/conversations/${body.conversation.id}/messages`)).body;
    expect(data[1].content).toBe('Your appointment is booked.');
  });

  it('reads local times and numbers as texts', async () => {
    const args = JSON.stringify({ service: 'cut', starts_at: '2031-07-01T09:00', duration_minutes: '45', confirm: 'true' });
    model.answering = (asked) => (isToolResult(asked) ? 'Done.' : { calls: [{ name: 'book_appointment', args }] });
    const { body } = await app.api.say(newThread(), 'Book me in', { metadata: { time_zone: 'Europe/Berlin' } });
    const appointment = (await app.api.get(`/v1/appointments/${body.reply.actions[0].appointment_id}`)).body;
    expect(appointment).toMatchObject({ status: 'confirmed', time_zone: 'Europe/Berlin' });
    expect([Date.parse(appointment.starts_at), Date.parse(appointment.ends_at)]).toEqual([
      Date.parse('2031-07-01T07:00:00Z'),
      Date.parse('2031-07-01T07:45:00Z'),
    ]);
  });
});

describe('a model server that is busy', () => {
  const busy = (seconds: string): ModelReply => ({ status: 429, body: '{}', headers: { 'retry-after': seconds } });

  it('is waited for once', async () => {
    let asked = 0;
    model.answering = () => (++asked === 1 ? busy('1') : 'Hello!');
    expect((await app.api.say(newThread(), 'Hi')).body.reply.content).toBe('Hello!');
  });

  it('beyond the window is an unavailable agent, and the client is told when to ask again', async () => {
    model.answering = () => busy('90');
    const failed = await app.api.say(newThread(), 'Hi');
    expect([...errorOf(failed), failed.headers.get('retry-after')]).toEqual([502, 'api_error', 'agent_unavailable', '90']);
  });
});

it('a model server gets the query and the headers that the operator set, and nobody sees them', async () => {
  await app.api.say(newThread(), 'With what?');
  const { query, headers } = model.only('With what?');
  expect([query, headers['api-key']]).toEqual(['api-version=1', 'of the server']);
  await eventually(() => expect(app.stderr).toContain('"configuration"'));
  expect(app.stderr).not.toContain('of the server');
});
