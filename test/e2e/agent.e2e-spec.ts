import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { RecordingModel, echo, type Asked, type ModelReply } from './harness/recording-model.js';

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start(model.variables);
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

let count = 0;
const newThread = () => `thread-${++count}`;
const newPhone = () => `+49151${1_000_000 + ++count}`;
const transcript = async (id: string) => (await app.api.get(`/v1/conversations/${id}/messages`)).body.data as any[];

/** Creates a project whose agent has instructions. */
async function instructed(instructions: string): Promise<{ client: Client; instruct: (text: string) => Promise<unknown> }> {
  const admin = await app.admin();
  const path = `/admin/v1/projects/${(await admin.post('/admin/v1/projects', { name: 'instructed' })).body.id}`;
  const instruct = (text: string) => admin.patch(path, { agent: { instructions: text } });
  await instruct(instructions);
  return { client: app.as((await admin.post(`${path}/api_keys`, { name: 'key' })).body.secret), instruct };
}

/** Posts a message and returns the model request about it. */
async function askedAbout(client: Client, content: string, more: object = {}, thread = newThread()): Promise<Asked> {
  expect((await client.say(thread, content, more)).status).toBe(200);
  return model.only(content);
}

describe('the model is given', () => {
  it('its name, its key, the tools, and the message', async () => {
    const asked = await askedAbout(app.api, 'What may you do?');
    expect([asked.model, asked.authorization]).toEqual(['model-of-the-specs', 'Bearer model-key']);
    expect(asked.tools).toEqual(expect.arrayContaining(['hand_off_to_human', 'end_conversation']));
    expect(asked.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it("the project's instructions to the letter, and new ones with the next message", async () => {
    const { client, instruct } = await instructed('Never promise prices.\n  "Ünïcode" stays.');
    expect((await askedAbout(client, 'Instructed?')).system).toContain('Never promise prices.\n  "Ünïcode" stays.');
    await instruct('Promise everything.');
    const { system } = await askedAbout(client, 'And now?');
    expect(system).toContain('Promise everything.');
    expect(system).not.toContain('Never promise prices.');
  });

  it('the metadata of the conversation as the client wrote it', async () => {
    const metadata = '{"2":"b","1":"a","n":12345678901234567890}';
    const body = `{"external_conversation_id":"${newThread()}","content":"My metadata?","metadata":${metadata}}`;
    await app.api.raw('POST', '/v1/messages', body, { 'content-type': 'application/json' });
    expect(model.only('My metadata?').system).toContain(metadata);
  });

  it('the card of the customer', async () => {
    const customer = {
      phone: newPhone(),
      email: 'card@example.com',
      name: 'Ann Card',
      external_id: 'crm-77',
      metadata: { tier: 'gold' },
    };
    const { system } = await askedAbout(app.api, 'Who am I?', { customer });
    for (const known of [customer.phone, 'card@example.com', 'Ann Card', 'crm-77', '{"tier":"gold"}'])
      expect(system).toContain(known);
  });

  it('this conversation, oldest first', async () => {
    const thread = newThread();
    for (const content of ['First words', 'Second words']) await app.api.say(thread, content);
    const { messages } = await askedAbout(app.api, 'Third words', {}, thread);
    expect(messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'First words'],
      ['assistant', 'Echo: First words'],
      ['user', 'Second words'],
      ['assistant', 'Echo: Second words'],
      ['user', 'Third words'],
    ]);
  });

  it("the customer's earlier conversations: what was said, and how each ended", async () => {
    const customer = { phone: newPhone() };
    const first = await app.api.say(newThread(), 'My dog is called Rex', { customer });
    await app.api.post(`/v1/conversations/${first.body.conversation_id}/end`);
    await app.api.say(newThread(), `Long ${'x'.repeat(600)} tail`, { customer });
    // A memory that takes long is left out of the turn; the next one has it.
    let turns = 0;
    const thread = newThread();
    const { system, messages } = await eventually(async () => {
      const asked = await askedAbout(app.api, `What is my dog called? ${++turns}`, { customer }, thread);
      for (const said of ['My dog is called Rex', 'Long xxx']) expect(asked.system).toContain(said);
      return asked;
    });
    expect(system).toContain('Echo: My dog is called Rex');
    expect(system).toContain('explicit');
    expect(system).not.toContain('tail');
    expect(messages).toHaveLength(2 * turns);
  });
});

describe('the model is never given', () => {
  const SECRET = 'The safe opens with 4711';

  it('what another customer said', async () => {
    await app.api.say(newThread(), SECRET, { customer: { phone: newPhone() } });
    const asked = await askedAbout(app.api, 'What opens the safe?', { customer: { phone: newPhone() } });
    expect(JSON.stringify(asked)).not.toContain('4711');
    expect(JSON.stringify(await askedAbout(app.api, 'And to a stranger?'))).not.toContain('4711');
  });

  it('what the same person said in another project, nor its instructions', async () => {
    const customer = { phone: newPhone(), email: 'same@example.com' };
    const { client } = await instructed(`Instructions of theirs: ${SECRET}`);
    await client.say(newThread(), SECRET, { customer });
    const asked = await askedAbout(app.api, 'What did I say there?', { customer });
    expect(JSON.stringify(asked)).not.toContain('4711');
  });

  it('anything of a customer who was deleted', async () => {
    const customer = { phone: newPhone(), name: 'Forgotten Fred' };
    const thread = newThread();
    const { body } = await app.api.say(thread, 'Opening', { customer });
    await app.api.say(newThread(), SECRET, { customer });
    await app.api.delete(`/v1/customers/${body.conversation.customer_id}`);
    const { system } = await askedAbout(app.api, 'Do you still know me?', {}, thread);
    expect(system).not.toContain('Forgotten Fred');
    expect(system).not.toContain('4711');
    const fresh = await askedAbout(app.api, 'And as a new one?', { customer: { phone: customer.phone } });
    expect(fresh.system).not.toContain('4711');
  });
});

describe('a model that calls a tool', () => {
  const once = (calls: { name: string; args: string }[], content = ''): void => {
    model.answering = ({ messages, last }): ModelReply =>
      messages.at(-1)?.role === 'tool' ? `The tool said: ${last}` : { calls, content };
  };

  it('hands the conversation over', async () => {
    once([{ name: 'hand_off_to_human', args: '{"reason":"too_hard","summary":"Wants a discount."}' }], 'I fetch somebody.');
    const { body } = await app.api.say(newThread(), 'A discount, please');
    expect(body.reply).toMatchObject({
      content: 'I fetch somebody.',
      actions: [{ type: 'handoff', reason: 'too_hard', summary: 'Wants a discount.' }],
    });
    expect(body.conversation.status).toBe('handed_off');
  });

  it('ends the conversation', async () => {
    once([{ name: 'end_conversation', args: '{"reason":"resolved"}' }]);
    const { body } = await app.api.say(newThread(), 'That was all');
    expect(body.reply.content).toMatch(/./);
    expect(body.reply.actions).toEqual([expect.objectContaining({ type: 'end_conversation', reason: 'resolved' })]);
    expect(body.conversation).toMatchObject({ status: 'ended', end_reason: 'agent', ended_at: body.reply.created_at });
  });

  it('does one of the two at most', async () => {
    once([
      { name: 'hand_off_to_human', args: '{"reason":"a","summary":"b"}' },
      { name: 'end_conversation', args: '{}' },
    ]);
    const { body } = await app.api.say(newThread(), 'Both');
    expect(body.conversation.status).toBe('handed_off');
    expect(body.reply.actions).toHaveLength(1);
  });

  it.each([
    ['nobody has', { name: 'delete_everything', args: '{}' }, 'unknown_tool'],
    ['with arguments that are no JSON', { name: 'hand_off_to_human', args: '{"reason": ' }, 'arguments_invalid'],
    ['with arguments that are no object', { name: 'end_conversation', args: '"now"' }, 'arguments_invalid'],
  ])('%s is told so and answers', async (_what, call, code) => {
    once([call]);
    const { status, body } = await app.api.say(newThread(), 'Try it');
    expect(status).toBe(200);
    expect(body.reply.content).toContain(code);
    expect([body.reply.actions, body.conversation.status]).toEqual([[], 'active']);
  });

  it.each([[''], [' \n']])('books and then says %j is answered for', async (silence) => {
    const starts_at = `2031-05-0${silence.length + 1}T10:00:00Z`;
    const args = JSON.stringify({ service: 'haircut', starts_at });
    model.answering = ({ messages }) =>
      messages.at(-1)?.role === 'tool' ? silence : { calls: [{ name: 'book_appointment', args }], content: '' };
    const { status, body } = await app.api.say(newThread(), 'Book me in', { markdown: false });
    expect([status, body.reply.content]).toEqual([200, 'Your appointment is booked.']);
    expect(body.reply.actions).toEqual([expect.objectContaining({ type: 'appointment', operation: 'created' })]);
  });

  it('over and over is stopped and answers', async () => {
    model.answering = () => ({ calls: [{ name: 'delete_everything', args: '{}' }], content: 'Still trying.' });
    const { status, body } = await app.api.say(newThread(), 'Never stop');
    expect([status, body.reply.content]).toEqual([200, 'Still trying.']);
    expect(model.about('Never stop').length).toBeLessThanOrEqual(6);
  });
});

describe('a model server', () => {
  it.each<[string, ModelReply]>([
    ['that fails', { status: 500, body: '{"error":{"message":"secret of the server"}}' }],
    ['that refuses', { status: 401, body: '{"error":{"message":"secret of the server"}}' }],
    ['that is busy', { status: 429, body: '' }],
    ['that answers with no JSON', { status: 200, body: '<html>secret of the server</html>' }],
    ['that answers with other JSON', { status: 200, body: '{"choices":[]}' }],
    ['that says nothing', ''],
  ])('%s is an unavailable agent, its words kept from the client', async (_what, reply) => {
    model.answering = () => reply;
    const thread = newThread();
    const failed = await app.api.say(thread, 'Are you there?');
    expect(errorOf(failed)).toEqual([502, 'api_error', 'agent_unavailable']);
    expect(failed.text).not.toContain('secret of the server');
    expect(failed.body.error).toMatchObject({
      conversation_id: expect.stringMatching(/^conv_/),
      message_id: expect.stringMatching(/^msg_/),
    });
    expect(await transcript(failed.body.error.conversation_id)).toHaveLength(1);
    model.answering = echo;
    expect((await app.api.say(thread, 'And now?')).status).toBe(200);
  });
});

describe('a reply', () => {
  const MARKDOWN =
    '# Hello\n\n**Bold** and [a link](https://example.com), `code`, 2 < 3, snake_case_name &amp; <b>tags</b>.\n\n- one\n- two';

  it('is the model’s own by default, in the answer and the transcript', async () => {
    model.answering = () => MARKDOWN;
    const { body } = await app.api.say(newThread(), 'Marked');
    expect(body.reply.content).toBe(MARKDOWN);
    expect((await transcript(body.conversation_id))[1].content).toBe(MARKDOWN);
  });

  it('is plain text where no markdown is wanted, in the answer and the transcript', async () => {
    model.answering = () => MARKDOWN;
    const { body } = await app.api.say(newThread(), 'Plain', { markdown: false });
    const { content } = body.reply;
    for (const kept of ['Hello', 'Bold and a link', 'code', '2 < 3', 'snake_case_name & tags', 'one', 'two'])
      expect(content).toContain(kept);
    expect(content).not.toMatch(/\*\*|# |`|\]\(|<b>|&amp;/);
    expect((await transcript(body.conversation_id))[1].content).toBe(content);
  });

  it('that is nothing but markup is told by its addresses or as it is where no markdown is wanted, unless it acts', async () => {
    for (const [content, told = content] of [
      ['<br>'],
      ['---'],
      ['![](http://x/y.png)', 'http://x/y.png'],
      ['```\n```'],
      ['#'],
    ] as const) {
      model.answering = () => content;
      const plain = await app.api.say(newThread(), 'Plain', { markdown: false });
      expect([plain.status, plain.body.reply.content]).toEqual([200, told]);
      model.answering = () => ({ calls: [{ name: 'end_conversation', args: '{}' }], content });
      const { status, body } = await app.api.say(newThread(), 'Plain', { markdown: false });
      expect([status, body.reply.content]).toEqual([200, expect.stringMatching(/\w/)]);
    }
  });

  it('that is long is plain text from its beginning to its end', async () => {
    model.answering = () => `| Day | Time |\n|---|---|\n${'| **Mon** | `10:00` |\n'.repeat(200)}`;
    const { body } = await app.api.say(newThread(), 'Plain', { markdown: false });
    expect(body.reply.content).toBe(`Day, Time\n${'Mon, 10:00\n'.repeat(200)}`.trim());
  });

  it('of thousands of hostile characters is plain text too, and the next as well', async () => {
    for (const mark of ['a\n=\n', '[a]: b\n', '*a ', '<b>']) {
      model.answering = () => `Hello! ${mark.repeat(8_000 / mark.length)}`;
      const { status, body } = await app.api.say(newThread(), 'Plain', { markdown: false });
      expect([status, body.reply.content]).toEqual([200, expect.stringMatching(/^Hello!/)]);
    }
  });

  it('is stripped for the message that asked for it alone', async () => {
    model.answering = () => '**Bold**';
    const { body } = await app.api.post('/v1/conversations', {});
    const say = async (markdown?: boolean) =>
      (await app.api.post(`/v1/conversations/${body.id}/messages`, { content: 'Hello', markdown })).body.reply.content;
    expect([await say(false), await say(true), await say()]).toEqual(['Bold', '**Bold**', '**Bold**']);
  });
});
