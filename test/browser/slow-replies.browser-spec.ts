import { PassThrough } from 'node:stream';
import { eventually } from '../e2e/harness/eventually.js';
import { RecordingModel, echo } from '../e2e/harness/recording-model.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';

let model: RecordingModel;
const here = consoleTests(async () => {
  model = await RecordingModel.start();
  return model.variables;
});
afterEach(() => void (model.answering = echo));
afterAll(() => model.stop());
const lastSaid = () => here.page.getByRole('log').getByRole('listitem').last();
/** Has the model answer with what is written into it. */
function slowReply(): PassThrough {
  const pieces = new PassThrough({ objectMode: true });
  model.answering = () => ({ pieces });
  return pieces;
}

describe('a reply that takes long', () => {
  it('is shown in the playground as it is said', async () => {
    const { project } = await ownProject(here.app);
    const reply = slowReply();
    await here.visit.goTo(`/admin/${project}/playground`);
    await here.page.getByLabel('Your message').fill('What is new?');
    await here.page.keyboard.press('Enter');
    reply.write('**First** ');
    await lastSaid().getByText('**First**').waitFor();
    expect(await here.page.getByLabel('Your message').inputValue()).toBe('');
    reply.write('second ');
    await lastSaid().getByText('**First** second').waitFor();
    await lastSaid().getByText('pending').waitFor();
    reply.end('third.');
    await lastSaid().getByText('**First** second third.').waitFor();
    await here.page.getByText('The agent is replying').waitFor({ state: 'detached' });
    await here.page.locator('li[id^=msg_]').nth(1).waitFor();
    await eventually(async () => expect(await here.page.getByRole('log').getByRole('listitem').count()).toBe(2));
  });

  it('is shown on the page of its conversation as it is said, and queued before that', async () => {
    const { project, client } = await ownProject(here.app);
    const reply = slowReply();
    const wait = { prefer: 'respond-async' };
    const { body } = await client.say('slow', 'What is new?', {}, wait);
    await here.visit.goTo(`/admin/${project}/conversations/${body.conversation_id}`);
    await lastSaid().getByText('pending').waitFor();
    reply.write('First ');
    await lastSaid().getByText('First').waitFor();
    await client.say('slow', 'And then?', {}, wait);
    await lastSaid().getByText('queued').waitFor();
    model.answering = echo;
    reply.end('second.');
    await lastSaid().getByText('Echo: And then?').waitFor();
    await here.page.locator('li[id^=msg_]').nth(3).waitFor();
    await eventually(async () => expect(await here.page.getByRole('log').getByRole('listitem').count()).toBe(4));
  });

  it('that will not come says why', async () => {
    const { project, client } = await ownProject(here.app);
    model.answering = () => ({ status: 500, body: '{}' });
    const { body } = await client.say('failing', 'Hello', {}, { prefer: 'respond-async' });
    await here.visit.goTo(`/admin/${project}/conversations/${body.conversation_id}`);
    await expect(lastSaid().getByText('failed').waitFor()).resolves.toBeUndefined();
  });

  it('to a message that the service could not store before it ended is refused, and the message stays in its field', async () => {
    const { project } = await ownProject(here.app);
    await here.visit.goTo(`/admin/${project}/playground`);
    await here.page.route('**/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ contentType: 'text/event-stream', body: ': open\n\n: the service shuts down\n\n' })
        : route.continue(),
    );
    await here.page.getByLabel('Your message').fill('What is new?');
    await here.page.keyboard.press('Enter');
    await here.page.getByRole('alert').getByText('before the message was stored').waitFor();
    expect(await here.page.getByLabel('Your message').inputValue()).toBe('What is new?');
  });
});
