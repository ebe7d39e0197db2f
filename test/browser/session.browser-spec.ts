import { ADMIN_PASSWORD } from '../e2e/harness/app.js';
import { consoleTests } from './harness/console-tests.js';

const here = consoleTests();
const password = () => here.page.getByLabel('Admin password');
const heading = (name: string) => here.page.getByRole('heading', { name, exact: true });

describe('whoever opens the console', () => {
  it('is asked for the password, and then sees the overview', async () => {
    await here.page.goto('/');
    await expect(password().waitFor()).resolves.toBeUndefined();
    await here.visit.signIn();
    await expect(heading('Overview').waitFor()).resolves.toBeUndefined();
    expect(here.page.url()).toMatch(/\/admin\/prj_\w+\/overview$/);
  });

  it('comes to the page that the address names', async () => {
    await here.visit.goTo('/admin/projects');
    await expect(heading('Projects').waitFor()).resolves.toBeUndefined();
  });

  it('stays signed in when the page is loaded again, and in another tab', async () => {
    await here.visit.goTo('/admin/projects');
    await here.page.reload();
    await heading('Projects').waitFor();
    const tab = await here.visit.context.newPage();
    await tab.goto('/admin/projects');
    await expect(tab.getByRole('heading', { name: 'Projects', exact: true }).waitFor()).resolves.toBeUndefined();
  });

  it('is told that a password is wrong, by its code, and may try again', async () => {
    here.visit.expects(/^401 \/admin\/v1\/login$/);
    await here.page.goto('/admin/projects');
    await here.visit.signIn('not this one');
    await expect(here.page.getByRole('alert').textContent()).resolves.toMatch(/Request\s*req_/);
    await here.visit.signIn();
    await expect(heading('Projects').waitFor()).resolves.toBeUndefined();
  });

  it('reads no token of the session from a script', async () => {
    await here.visit.goTo('/admin/projects');
    expect(await here.page.evaluate(() => document.cookie)).toBe('');
    expect(await here.visit.context.cookies()).toMatchObject([
      { name: '__Host-admin_session', httpOnly: true, secure: true, sameSite: 'Strict', path: '/' },
    ]);
  });
});

describe('whoever signs out', () => {
  it('is asked for the password, and their session is over', async () => {
    await here.visit.goTo('/admin/projects');
    const token = await here.visit.sessionToken();
    await here.page.getByRole('button', { name: 'Sign out' }).click();
    await password().waitFor();
    expect((await here.app.as(token).get('/admin/v1/session')).status).toBe(401);
  });
});

describe('a session that ends while a page is open', () => {
  it('is asked for again over the page, and what was asked for goes on', async () => {
    here.visit.expects(/^401 \/admin\/v1\//);
    await here.visit.goTo('/admin/projects');
    await here.page.getByRole('button', { name: 'Add a project' }).click();
    await here.page.getByLabel('Name').fill('made after the session ended');
    await here.app.as(await here.visit.sessionToken()).post('/admin/v1/logout');
    await here.page.getByRole('dialog').getByRole('button', { name: 'Add a project' }).click();
    await here.page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await here.visit.signIn(ADMIN_PASSWORD);
    await here.page.waitForURL(/\/admin\/prj_\w+\/api-keys$/);
    const { body } = await (await here.app.admin()).get('/admin/v1/projects');
    expect(body.data.map(({ name }: { name: string }) => name)).toContain('made after the session ended');
  });
});
