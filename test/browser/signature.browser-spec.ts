import type { Request } from 'playwright-core';
import { Backend, deliveryIn } from '../e2e/harness/receiver.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog, shows } from './harness/parts.js';
import { emit, subscriber } from './harness/subscriber.js';

const ANOTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
/** Would break a body that is put together anew instead of kept as it was sent. */
const AWKWARD = 'ümlauts, 日本, \u2028 "quotes", \\ and ,"delivery_summary":{}';
const SCHEMES = ['Standard Webhooks (webhook-signature)', 'Service-Signature'];

const here = consoleTests();
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());

const secretField = () => here.page.getByLabel('Secret of the endpoint (whsec_…)');
const verdictOn = (scheme: string) => here.page.locator('.card').filter({ has: here.page.getByText(scheme, { exact: true }) });

async function check(secret: string): Promise<void> {
  await secretField().fill(secret);
  await button(here.page, 'Check').click();
}

async function showsOfBoth(text: string): Promise<void> {
  for (const scheme of SCHEMES) await shows(verdictOn(scheme), text);
}

describe('the signature of a delivery', () => {
  it('is right with the secret of its endpoint and wrong with another, and no secret leaves the page', async () => {
    const { project, client, secret } = await subscriber(here.app, backend.hook(200));
    const { id } = await deliveryIn('succeeded', client, await emit(client, { notes: AWKWARD }));
    await here.visit.goTo(`/admin/${project}/deliveries/${id}`);
    const sent: string[] = [];
    here.page.on('request', (request: Request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await check(secret);
    await showsOfBoth('The signature fits the secret and the body.');
    await check(ANOTHER);
    await showsOfBoth('The signature does not fit: it was made with another secret.');
    await check(` ${secret}\n`);
    await showsOfBoth('right');
    await secretField().fill('typed anew');
    expect(await verdictOn(SCHEMES[0]!).count()).toBe(0);
    await check('no secret');
    await shows(verdictOn(SCHEMES[0]!), 'The secret is not whsec_ followed by base64');
    expect(sent.filter((request) => request.includes(secret) || request.includes(encodeURIComponent(secret)))).toEqual([]);
    expect(new URL(here.page.url()).search).toBe('');
  });

  it('is right with both secrets of an endpoint that has rotated them, in each attempt', async () => {
    const hook = backend.hook(500, 200);
    const { project, client, endpoint, secret } = await subscriber(here.app, hook);
    await here.visit.goTo(`/admin/${project}/endpoints/${endpoint}`);
    await button(here.page, 'Rotate').click();
    await button(dialog(here.page), 'Rotate').click();
    const fresh = (await here.page.getByText(/^whsec_/).textContent()) ?? '';
    const { id } = await deliveryIn('succeeded', client, await emit(client));
    await here.visit.goTo(`/admin/${project}/deliveries/${id}`);
    for (const attempt of ['Attempt 1', 'Attempt 2']) {
      await here.page.getByLabel('Of the attempt').selectOption({ label: attempt });
      await check(fresh);
      await showsOfBoth('Signature 1 of 2 fits');
      await check(secret);
      await showsOfBoth('Signature 2 of 2 fits');
    }
    await check(ANOTHER);
    await showsOfBoth('None of the 2 signatures fits');
  });
});
