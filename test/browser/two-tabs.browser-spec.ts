import type { Page } from 'playwright-core';
import type { Client } from '../e2e/harness/client.js';
import { eventually } from '../e2e/harness/eventually.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject, type OwnProject } from './harness/own-project.js';

const here = consoleTests();
let client: Client;
let address: string;
/** Every tab of this test that has asked for the stream of changes. */
let streaming: Page[];

beforeEach(async () => {
  const own = await ownProject(here.app);
  ({ client } = own);
  address = await conversationIn(own);
  streaming = [];
  here.visit.context.on('request', (request) => {
    if (request.url().includes('/admin/v1/stream')) streaming.push(request.frame().page());
  });
});

/** The address of a conversation that began with a greeting. */
async function conversationIn({ project, client: of }: OwnProject): Promise<string> {
  return `/admin/${project}/conversations/${(await of.say('thread', 'Hello')).body.conversation.id}`;
}

/** Two tabs of one browser at the same conversation. The first has the stream. */
async function openTwo(): Promise<readonly [Page, Page]> {
  await here.visit.goTo(address);
  await eventually(() => expect(streaming).toEqual([here.page]));
  const second = await here.visit.context.newPage();
  await second.goto(address);
  await shows(second, 'Hello');
  return [here.page, second];
}

/** Whether the tab shows something without being asked again. */
async function shows(tab: Page, text: string): Promise<void> {
  await tab.getByRole('log').getByText(text, { exact: true }).waitFor();
}

async function addProject(tab: Page, name: string): Promise<void> {
  await tab.getByRole('button', { name: 'Add a project' }).click();
  await tab.getByLabel('Name').fill(name);
  await tab.getByRole('dialog').getByRole('button', { name: 'Add a project' }).click();
}

const isLost = (tab: Page) => tab.getByText('The service did not answer').isVisible();

describe('two tabs of a browser', () => {
  it('follow what changes by one stream', async () => {
    const [first, second] = await openTwo();
    await client.say('thread', 'Is this seen twice?');
    await shows(first, 'Is this seen twice?');
    await shows(second, 'Is this seen twice?');
    expect(streaming).toEqual([first]);
  });

  it('are live when the one with the stream is closed: the other one takes over', async () => {
    const [first, second] = await openTwo();
    await first.close();
    await eventually(() => expect(streaming).toEqual([first, second]));
    await client.say('thread', 'Is anybody left?');
    await expect(shows(second, 'Is anybody left?')).resolves.toBeUndefined();
  });

  it('both say that the connection is lost, and that it is back', async () => {
    here.visit.expects(/^Failed to load resource: net::ERR_/);
    const [first, second] = await openTwo();
    await client.say('thread', 'Before the loss');
    await shows(second, 'Before the loss');
    await here.app.stop();
    for (const tab of [first, second]) await eventually(async () => expect(await isLost(tab)).toBe(true));
    await here.app.restart({ PORT: new URL(here.app.url).port });
    for (const tab of [first, second]) await eventually(async () => expect(await isLost(tab)).toBe(false));
    await client.say('thread', 'After the loss');
    for (const tab of [first, second]) await shows(tab, 'After the loss');
  });

  it.each([
    { where: 'the one with the stream', leaving: 0, staying: 1 },
    { where: 'the other one', leaving: 1, staying: 0 },
  ])('are both signed out by $where: the one that stays asks for the password', async ({ leaving, staying }) => {
    here.visit.expects(/^401 \/admin\/v1\//);
    const tabs = await openTwo();
    await tabs[leaving]?.getByRole('button', { name: 'Sign out' }).click();
    await tabs[leaving]?.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect(tabs[staying]?.getByRole('heading', { name: 'Your session has ended' }).waitFor()).resolves.toBeUndefined();
  });
});

describe('a session that one tab begins when the last one has ended', () => {
  it('serves the other tab too', async () => {
    here.visit.expects(/^(401|403) \/admin\/v1\//);
    await here.visit.goTo('/admin/projects');
    const second = await here.visit.context.newPage();
    await second.goto('/admin/projects');
    await second.getByRole('button', { name: 'Add a project' }).waitFor();
    await here.app.as(await here.visit.sessionToken()).post('/admin/v1/logout');
    await addProject(here.page, 'of the first tab');
    await here.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await here.visit.signIn();
    await here.page.waitForURL(/\/api-keys$/);
    await addProject(second, 'of the second tab');
    await expect(second.waitForURL(/\/api-keys$/)).resolves.toBeUndefined();
  });
});

describe('two tabs at different projects', () => {
  it('each follow their own', async () => {
    const other = await ownProject(here.app, 'another');
    await here.visit.goTo(address);
    const second = await here.visit.context.newPage();
    await second.goto(await conversationIn(other));
    await shows(second, 'Hello');
    await client.say('thread', 'Of the one');
    await other.client.say('thread', 'Of the other');
    await shows(here.page, 'Of the one');
    await expect(shows(second, 'Of the other')).resolves.toBeUndefined();
  });
});
