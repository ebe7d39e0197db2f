import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { TcpProxy } from '../../tools/engines/tcp-proxy.mjs';
import type { Client } from '../e2e/harness/client.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Example } from '../e2e/harness/example.js';
import { RecordingModel, echo } from '../e2e/harness/recording-model.js';
import { axeFaults } from './harness/axe.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';
import { widthBeyondWindow } from './harness/width-beyond-window.js';

const PICTURES = join(__dirname, '../../dist/screenshots');

let model: RecordingModel;
const here = consoleTests(async () => {
  model = await RecordingModel.start();
  return model.variables;
});
afterAll(() => model.stop());

let client: Client;
/** Between the page's server and the service. */
let proxy: TcpProxy;
let example: Example;
beforeEach(async () => {
  ({ client } = await ownProject(here.app));
  proxy = await TcpProxy.before(Number(new URL(here.app.url).port));
  const BASE_URL = `http://127.0.0.1:${proxy.port}`;
  const served = await Example.listening('chat.mjs', { BASE_URL, KEY: client.token ?? '', PORT: '0' });
  ({ example } = served);
  here.visit.alsoGoesTo(served.url);
  await here.page.goto(served.url);
});
afterEach(async () => {
  model.answering = echo;
  await example.stop();
  await proxy.close();
});

const log = () => here.page.getByRole('log');
const items = () => log().getByRole('listitem').allInnerTexts();
const showsAs = (...texts: readonly string[]) => eventually(async () => expect(await items()).toEqual(texts));
const state = (text: string) => here.page.getByRole('status').getByText(text).waitFor();
const send = () => here.page.getByRole('button', { name: 'Send' });
/** Over once the next message can be sent. */
const isOver = () => eventually(async () => expect(await send().isEnabled()).toBe(true));
async function say(text: string): Promise<void> {
  await here.page.getByLabel('Your message').fill(text);
  await here.page.keyboard.press('Enter');
}
/** Has the model answer with what is written into it. */
function slowReply(): PassThrough {
  const pieces = new PassThrough({ objectMode: true });
  model.answering = () => ({ pieces });
  return pieces;
}
const conversation = () =>
  eventually(async () => {
    const { id } = (await client.get('/v1/conversations')).body.data[0];
    return id as string;
  });
const transcript = async () => {
  const { body } = await client.get(`/v1/conversations/${await conversation()}/messages`);
  return body.data.map(({ content }: { content: string }) => content);
};

describe('the chat page', () => {
  it('shows a reply as it is said', async () => {
    const reply = slowReply();
    await say('What is new?');
    await state('The agent is replying');
    reply.write('First ');
    await showsAs('What is new?', 'First');
    reply.write('second ');
    await showsAs('What is new?', 'First second');
    expect(await send().isEnabled()).toBe(false);
    reply.end('third.');
    await showsAs('What is new?', 'First second third.');
    await isOver();
    model.answering = echo;
    await say('And then?');
    await showsAs('What is new?', 'First second third.', 'And then?', 'Echo: And then?');
  });

  it('forgets what the agent takes back', async () => {
    const pieces = new PassThrough({ objectMode: true });
    const calls = [{ name: 'list_appointments', args: '{}' }];
    model.answering = ({ messages }) =>
      messages.some(({ role }) => role === 'tool') ? { pieces: ['Nothing is booked.'] } : { pieces, calls };
    await say('What is booked?');
    pieces.write('One moment, I look. ');
    await showsAs('What is booked?', 'One moment, I look.');
    pieces.end();
    await showsAs('What is booked?', 'Nothing is booked.');
    await isOver();
  });

  it('goes on where the connection broke off, and shows the reply once and whole', async () => {
    here.visit.expects(/ERR_INCOMPLETE_CHUNKED_ENCODING/);
    const reply = slowReply();
    await say('A long story, please');
    reply.write('Once upon ');
    await showsAs('A long story, please', 'Once upon');
    proxy.cut();
    reply.write('a time 🙂 ');
    await showsAs('A long story, please', 'Once upon a time 🙂');
    proxy.cut();
    reply.end('they lived.');
    await showsAs('A long story, please', 'Once upon a time 🙂 they lived.');
    await isOver();
    expect(await transcript()).toEqual(['A long story, please', 'Once upon a time 🙂 they lived.']);
    expect(model.about('A long story, please')).toHaveLength(1);
  });

  it('sends a message again until it is stored, once', async () => {
    here.visit.expects(/^502 \/v1\/messages/);
    proxy.mode = 'refuse';
    await say('Is anybody there?');
    await state('No connection');
    proxy.mode = 'pass';
    await showsAs('Is anybody there?', 'Echo: Is anybody there?');
    await isOver();
    expect(await transcript()).toEqual(['Is anybody there?', 'Echo: Is anybody there?']);
  });

  it.each([503, 429])('waits as long as a %i asks for, and sends the message again', async (status) => {
    here.visit.expects(new RegExp(`^${status} /v1/messages`));
    const sentAt: number[] = [];
    const headers = { 'retry-after': '3', 'service-should-retry': 'true' };
    await here.page.route('**/v1/messages', (route) => {
      sentAt.push(performance.now());
      return sentAt.length === 1 ? route.fulfill({ status, headers, json: {} }) : route.continue();
    });
    await say('Are you busy?');
    await showsAs('Are you busy?', 'Echo: Are you busy?');
    await isOver();
    expect(sentAt).toHaveLength(2);
    expect(sentAt[1]! - sentAt[0]!).toBeGreaterThan(2_900);
  });

  it('says why a message is refused', async () => {
    here.visit.expects(/^400 /);
    const json = { error: { type: 'invalid_request_error', code: 'parameter_too_long', message: 'content is too long.' } };
    const headers = { 'service-should-retry': 'false' };
    await here.page.route('**/v1/messages', (route) => route.fulfill({ status: 400, headers, json }));
    await say('x');
    await log().getByText('content is too long.').waitFor();
    expect(await here.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('offers to try again where the agent could not answer', async () => {
    model.answering = () => ({ status: 500, body: '{}' });
    await say('Hello');
    await here.page.getByRole('button', { name: 'Try again' }).waitFor();
    model.answering = echo;
    await here.page.getByRole('button', { name: 'Try again' }).click();
    await showsAs('Hello', 'Echo: Hello');
    await isOver();
    expect(await transcript()).toEqual(['Hello', 'Echo: Hello']);
  });

  it('says when a human takes over, shows what they write, and when the agent is back', async () => {
    await say('Hello');
    await showsAs('Hello', 'Echo: Hello');
    await isOver();
    const path = `/v1/conversations/${await conversation()}`;
    const release = model.hold();
    await say('I want to talk to somebody');
    await client.post(`${path}/handoff`, {});
    release();
    await log().getByText('A human has taken over').waitFor();
    await isOver();
    await say('Are you there?');
    await isOver();
    await client.post(`${path}/messages`, { role: 'assistant', author: { type: 'human', name: 'Kim' }, content: 'I am.' });
    await log().getByText('Kim: I am.').waitFor();
    await client.post(`${path}/resume`, {});
    await say('Thanks');
    await log().getByText('The agent is back').waitFor();
    expect((await items()).slice(-3)).toEqual(['Thanks', 'Echo: Thanks', 'The agent is back.']);
  });

  it('is readable for everyone, in both themes and at both widths', async () => {
    mkdirSync(PICTURES, { recursive: true });
    await say('Good morning, I would like to move my appointment on Friday to some time in the next week.');
    await isOver();
    const reply = slowReply();
    await say('And until when can I cancel?');
    reply.write('Until a day before. '.repeat(6));
    await log().getByText('Until a day before.').waitFor();
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1280, 390]) {
        await here.page.emulateMedia({ colorScheme });
        await here.page.setViewportSize({ width, height: 800 });
        await here.page.screenshot({ path: join(PICTURES, `chat-${colorScheme}-${width}.png`) });
        const faults = [await axeFaults(here.page), await widthBeyondWindow(here.page)];
        expect([colorScheme, width, ...faults]).toEqual([colorScheme, width, [], 0]);
      }
    reply.end();
    await isOver();
  });
});
