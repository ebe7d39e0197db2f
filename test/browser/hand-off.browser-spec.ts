import type { Client } from '../e2e/harness/client.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';

const here = consoleTests();
const said = (text: string) => here.page.getByRole('log').getByRole('listitem').filter({ hasText: text });
const button = (name: string) => here.page.getByRole('button', { name, exact: true });
const dialog = (name: string) => here.page.getByRole('dialog', { name });
/** The section with this heading. */
const section = (title: string) =>
  here.page.locator('section').filter({ has: here.page.getByRole('heading', { name: title, exact: true }) });
const handedOver = () => section('Handed over to a human').locator('dl');

let client: Client;
let id: string;
let path: string;
beforeEach(async () => {
  const own = await ownProject(here.app);
  client = own.client;
  id = (await client.say('of-anna', 'Hello')).body.conversation_id;
  path = `/v1/conversations/${id}`;
  await here.visit.goTo(`/admin/${own.project}/conversations/${id}`);
});

async function handOver(): Promise<void> {
  await button('Hand over').click();
  const asked = dialog('Hand this conversation over to a human');
  await asked.getByLabel('Why, for programs').fill('refund_wanted');
  await asked.getByLabel('What the human should know').fill('Paid twice.\nWants one of them back.');
  await asked.getByRole('button', { name: 'Hand over', exact: true }).click();
  await button('Give back').waitFor();
}

async function write(text: string): Promise<void> {
  await here.page.getByLabel('Your message').fill(text);
  await button('Send').click();
  await said(text).waitFor();
}

describe('the page of a conversation', () => {
  it('hands it over, and shows by whom, why and what to know', async () => {
    await said('Hello').first().waitFor();
    await handOver();
    const text = await handedOver().innerText();
    for (const part of ['a request', 'refund_wanted', 'Wants one of them back.']) expect(text).toContain(part);
    const { body } = await client.get(path);
    const handoff = { by: 'client', reason: 'refund_wanted', summary: 'Paid twice.\nWants one of them back.' };
    expect(body).toMatchObject({ status: 'handed_off', handoff });
  });

  it('shows without a reload that it was handed over, given back and ended', async () => {
    await button('Hand over').waitFor();
    await client.say('of-anna', 'Can I speak to a person?');
    await button('Give back').waitFor();
    expect(await handedOver().innerText()).toContain('the agent');
    await client.post(`${path}/resume`);
    await button('Hand over').waitFor();
    expect(await section('Handed over to a human').count()).toBe(0);
    expect(await section('Write as a human').count()).toBe(0);
    await client.post(`${path}/handoff`, { reason: 'again' });
    await client.post(`${path}/end`);
    await here.page.getByText('a request', { exact: true }).first().waitFor();
    await button('Give back').waitFor({ state: 'detached' });
    expect(await handedOver().innerText()).toContain('again');
    expect(await section('Write as a human').count()).toBe(0);
  });

  it('gives it back with a note, and the agent answers again', async () => {
    await handOver();
    await button('Give back').click();
    const asked = dialog('Give this conversation back to the agent');
    await asked.getByLabel('What the agent should know').fill('The refund is on its way.');
    await asked.getByRole('button', { name: 'Give back', exact: true }).click();
    await button('Hand over').waitFor();
    const { body } = await client.say('of-anna', 'Thanks!');
    expect(body).toMatchObject({ conversation_id: id, conversation: { status: 'active' } });
    await said(body.reply.content).first().waitFor();
    expect(await said('Thanks!').count()).toBe(1);
  });

  it('lets a human write in the place of the agent, whose name it keeps while it is open', async () => {
    await handOver();
    await here.page.getByLabel('Your name').fill('Kim');
    await write('I am Kim, and I take care of it.');
    const item = said('I take care of it').first();
    expect(await item.innerText()).toContain('Kim');
    expect(await item.innerText()).not.toContain('Agent');
    await write('It is done.');
    expect(await here.page.getByLabel('Your name').inputValue()).toBe('Kim');
    await client.post(`${path}/resume`);
    await button('Hand over').waitFor();
    await client.post(`${path}/handoff`);
    await button('Give back').waitFor();
    expect(await here.page.getByLabel('Your name').inputValue()).toBe('Kim');
    await here.page.reload();
    await here.visit.settled();
    expect(await here.page.getByLabel('Your name').inputValue()).toBe('');
    const { body } = await client.get(`${path}/messages`);
    const authors = body.data.map(({ author }: { author: { type: string; name?: string } }) => author.name ?? author.type);
    expect(authors).toEqual(['user', 'agent', 'Kim', 'Kim']);
    await button('Give back').click();
    await dialog('Give this conversation back to the agent').getByRole('button', { name: 'Give back', exact: true }).click();
    await button('Hand over').waitFor();
    const { body: next } = await client.say('of-anna', 'Thanks!');
    await said(next.reply.content).last().waitFor();
    expect(next.conversation_id).toBe(id);
  });
});
