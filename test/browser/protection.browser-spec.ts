import { ADMIN_PASSWORD } from '../e2e/harness/app.js';
import { Receiver } from '@testing/receiver';
import { consoleTests } from './harness/console-tests.js';

const here = consoleTests();

/** A page of somebody else: another port of this machine is another origin, though the same site. */
let other: Receiver;
let shown = '';
beforeAll(async () => {
  other = await Receiver.http((_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(shown));
});
afterAll(() => other.close());

async function openOther(page: string): Promise<void> {
  shown = `<!doctype html><title>other</title>${page}`;
  here.visit.alsoGoesTo(other.url());
  await here.page.goto(other.url());
}

/** As a form of that page would send it: without asking first. */
function postFromOther(path: string, body?: object): Promise<void> {
  const request = { url: here.app.url + path, ...(body && { body: JSON.stringify(body) }) };
  return here.page.evaluate(async ({ url, ...more }) => {
    await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', ...more });
  }, request);
}

describe('a page of another origin', () => {
  it('does nothing in the session of whoever opens it', async () => {
    here.visit.expects(/^403 \/admin\/v1\/logout$/);
    await here.visit.goTo('/admin/projects');
    const token = await here.visit.sessionToken();
    await openOther('');
    const answer = here.visit.answerTo('POST', '/admin/v1/logout');
    await postFromOther('/admin/v1/logout');
    const refused = await answer;
    expect([refused.status(), refused.headers()['access-control-allow-origin']]).toEqual([403, undefined]);
    expect((await here.app.as(token).get('/admin/v1/session')).status).toBe(200);
  });

  it('signs nobody in, by a form or by a script', async () => {
    here.visit.expects(/^403 \/admin\/v1\/login$/);
    await openOther('');
    const refused = here.visit.answerTo('POST', '/admin/v1/login');
    await postFromOther('/admin/v1/login', { password: ADMIN_PASSWORD });
    expect((await refused).status()).toBe(403);
    expect(await here.visit.sessionToken()).toBe('');
    const origin = new URL(other.url()).origin;
    const scripted = await here.app.as(null).post('/admin/v1/login', { password: ADMIN_PASSWORD }, { origin });
    expect([scripted.status, scripted.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('shows the console in no frame', async () => {
    here.visit.expects(/frame-ancestors 'none'/, /chrome-error/);
    await openOther(`<iframe src="${here.app.url}/admin/"></iframe>`);
    const [frame] = here.page.frames().filter((each) => each !== here.page.mainFrame());
    expect(await frame?.locator('#console').count()).toBe(0);
    expect(frame?.url()).toContain('chrome-error:');
  });
});

describe('an address of the console', () => {
  it('that no place has says so, in the page', async () => {
    await here.visit.goTo('/admin/no/such/place');
    expect(await here.page.locator('#content h1').textContent()).toBe('There is no such page');
  });

  it('is followed by links, back and forth', async () => {
    await here.visit.goTo('/admin/projects');
    await here.page.getByRole('link', { name: 'Projections', exact: true }).click();
    await here.page.getByRole('heading', { name: 'Projections', exact: true }).waitFor();
    await here.page.goBack();
    await here.page.getByRole('heading', { name: 'Projects', exact: true }).waitFor();
    await here.page.goForward();
    await expect(here.page.getByRole('heading', { name: 'Projections', exact: true }).waitFor()).resolves.toBeUndefined();
  });
});
