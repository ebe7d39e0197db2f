import type { Client } from '../e2e/harness/client.js';
import { eventually } from '../e2e/harness/eventually.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';

const here = consoleTests();
const rows = () => here.page.getByRole('table', { name: 'Conversations' }).locator('tbody tr');
const said = (text: string) => here.page.getByRole('log').getByRole('listitem').filter({ hasText: text });

let project: string;
let client: Client;
beforeEach(async () => {
  ({ project, client } = await ownProject(here.app));
});

async function begun(thread: string): Promise<string> {
  return (await client.say(thread, 'Book a haircut tomorrow at 10am', { time_zone: 'Europe/Berlin' })).body.conversation.id;
}

describe('the conversations', () => {
  it('where nobody has written yet lead to the playground', async () => {
    await here.visit.goTo(`/admin/${project}/conversations`);
    await here.page.getByRole('link', { name: 'Talk to the agent' }).click();
    await expect(here.page.getByRole('heading', { name: 'Playground', exact: true }).waitFor()).resolves.toBeUndefined();
  });

  it('are found by their external id, and the address keeps the filter', async () => {
    const id = await begun('of-anna');
    await begun('of-ben');
    await here.visit.goTo(`/admin/${project}/conversations`);
    await eventually(async () => expect(await rows().count()).toBe(2));
    if (!(await here.page.getByLabel('External id').isVisible())) await here.page.getByText('Filters').click();
    await here.page.getByLabel('External id').fill('of-anna');
    await here.page.getByRole('button', { name: 'Apply' }).click();
    await eventually(async () => expect(await rows().count()).toBe(1));
    await here.page.reload();
    await here.visit.settled();
    expect(await rows().getByRole('link').first().innerText()).toBe(id);
  });

  it('announce a new one, and push no row away', async () => {
    await begun('first');
    await here.visit.goTo(`/admin/${project}/conversations`);
    await begun('second');
    await here.page.getByRole('button', { name: 'Show', exact: true }).waitFor();
    expect(await rows().count()).toBe(1);
    await here.page.getByRole('button', { name: 'Show', exact: true }).click();
    await eventually(async () => expect(await rows().count()).toBe(2));
  });
});

describe('the page of a conversation', () => {
  it('shows who said what, and what the agent did', async () => {
    await here.visit.goTo(`/admin/${project}/conversations/${await begun('of-anna')}`);
    expect(await said('Book a haircut').innerText()).toContain('Customer');
    const reply = here.page.getByRole('log').getByRole('listitem').last();
    expect(await reply.innerText()).toContain('Agent');
    await expect(reply.getByRole('link', { name: /^apt_/ }).waitFor()).resolves.toBeUndefined();
  });

  it('shows a new message as it comes', async () => {
    await here.visit.goTo(`/admin/${project}/conversations/${await begun('of-anna')}`);
    await client.say('of-anna', 'Confirm my appointment');
    await expect(said('Confirm my appointment').waitFor()).resolves.toBeUndefined();
    await eventually(async () => expect(await here.page.getByRole('log').getByRole('listitem').count()).toBe(4));
  });

  it('ends it after it was asked, for good', async () => {
    const id = await begun('of-anna');
    await here.visit.goTo(`/admin/${project}/conversations/${id}`);
    await here.page.getByRole('button', { name: 'End', exact: true }).click();
    const dialog = here.page.getByRole('dialog', { name: 'End this conversation' });
    await dialog.getByLabel('Why, for the record').fill('asked by phone');
    await dialog.getByRole('button', { name: 'End', exact: true }).click();
    await here.page.getByText('a request', { exact: true }).waitFor();
    await eventually(async () => expect(await here.page.getByRole('button', { name: 'End', exact: true }).count()).toBe(0));
    const { body } = await client.get(`/v1/conversations/${id}`);
    expect(body).toMatchObject({ status: 'ended', end_reason: 'explicit' });
  });

  it('that somebody else ends shows it without a reload', async () => {
    const id = await begun('of-anna');
    await here.visit.goTo(`/admin/${project}/conversations/${id}`);
    await client.post(`/v1/conversations/${id}/end`);
    await expect(here.page.getByText('a request', { exact: true }).waitFor()).resolves.toBeUndefined();
  });
});
