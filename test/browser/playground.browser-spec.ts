import { Webhook } from 'standardwebhooks';
import { Backend, verified } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';

const here = consoleTests();
let backend: Backend;
beforeAll(async () => {
  backend = await Backend.start();
});
afterAll(() => backend.close());

const BOOKING = 'Book a haircut tomorrow at 10am';
/** The innermost section with this heading. */
const section = (title: string) =>
  here.page
    .locator('section')
    .filter({ has: here.page.getByRole('heading', { name: title, exact: true }) })
    .last();
const talk = () => here.page.getByRole('log').getByRole('listitem');
const received = () => section('A receiver in this page').getByRole('listitem');

/** Says what stands on one of the buttons. */
async function say(example: string): Promise<void> {
  await here.page.getByRole('button', { name: example, exact: true }).click();
  await here.page.getByRole('log').getByText(example, { exact: true }).waitFor();
}

describe('the playground', () => {
  it('says that what is posted is real, and how many endpoints it reaches', async () => {
    const { project, client } = await ownProject(here.app);
    await client.post('/v1/webhook_endpoints', { url: backend.hook(200).url });
    await here.visit.goTo(`/admin/${project}/playground`);
    await here.page.getByText('What is posted here is real').waitFor();
    await expect(here.page.getByText('is posted to 1 enabled endpoint').waitFor()).resolves.toBeUndefined();
  });

  it('is a conversation with the agent, which the address leads back to', async () => {
    const { project } = await ownProject(here.app);
    await here.visit.goTo(`/admin/${project}/playground`);
    await here.page.getByLabel('Your message').fill('Hello');
    await here.page.keyboard.press('Enter');
    await talk().nth(1).waitFor();
    expect(await talk().first().innerText()).toMatch(/Customer.*Hello/s);
    expect(await talk().nth(1).innerText()).toContain('Agent');
    expect(await here.page.getByLabel('Your message').inputValue()).toBe('');
    await here.page.reload();
    await here.visit.settled();
    await expect(talk().nth(1).waitFor()).resolves.toBeUndefined();
  });

  it('shows beside it the appointment, the events and the webhooks that it causes, as they happen', async () => {
    const { project, client } = await ownProject(here.app);
    const hook = backend.hook(200);
    const { body: endpoint } = await client.post('/v1/webhook_endpoints', { url: hook.url });
    await here.visit.goTo(`/admin/${project}/playground`);
    await say(BOOKING);
    await section('Appointments').getByRole('link', { name: /^apt_/ }).waitFor();
    await section('Events').getByText('appointment.created').waitFor();
    await section('Webhooks').getByText('succeeded').first().waitFor();
    await say('Cancel my appointment');
    await section('Events').getByText('appointment.cancelled').waitFor();
    await section('Appointments').getByText('cancelled').waitFor();
    const types = (await hook.received(2)).map((request) => verified(request, endpoint.secret).type);
    expect(types).toContain('appointment.cancelled');
  });

  it('begins anew under another id', async () => {
    const { project } = await ownProject(here.app);
    await here.visit.goTo(`/admin/${project}/playground`);
    await say('Cancel my appointment');
    const before = here.page.url();
    await here.page.getByRole('button', { name: 'Begin anew' }).click();
    await here.page.getByText('Say something, or let one of these be said').waitFor();
    expect(here.page.url()).not.toBe(before);
    await here.page.goBack();
    await expect(talk().first().waitFor()).resolves.toBeUndefined();
  });
});

describe('the receiver in the page', () => {
  it('gets the bytes that an endpoint gets, and signs them as Standard Webhooks says', async () => {
    const { project, client } = await ownProject(here.app);
    const hook = backend.hook(200);
    await client.post('/v1/webhook_endpoints', { url: hook.url });
    await here.visit.goTo(`/admin/${project}/playground`);
    await say(BOOKING);
    await received().getByText('signature right').waitFor();
    await received().locator('summary').click();
    const secret = await section('A receiver in this page').locator('code.text').innerText();
    const headers = (await received().getByLabel('Headers', { exact: true }).innerText()).split('\n');
    const body = (await received().getByLabel('Body, as posted').textContent()) ?? '';
    const named = Object.fromEntries(headers.map((line) => line.split(': ') as [string, string]));
    const [posted] = await hook.received();
    expect(body).toBe(posted?.body);
    expect(named['webhook-id']).toBe(posted?.headers['webhook-id']);
    expect(new Webhook(secret).verify(body, named)).toEqual(JSON.parse(body));
  });

  it('signs with another secret when asked', async () => {
    const { project } = await ownProject(here.app);
    await here.visit.goTo(`/admin/${project}/playground`);
    await say(BOOKING);
    await received().getByText('signature right').waitFor();
    const secret = section('A receiver in this page').locator('code.text');
    const before = await secret.innerText();
    await here.page.getByRole('button', { name: 'Another secret' }).click();
    expect(await secret.innerText()).not.toBe(before);
    await expect(received().getByText('signature right').waitFor()).resolves.toBeUndefined();
  });
});
