import { eventually } from '../e2e/harness/eventually.js';
import { ADMIN_PASSWORD } from '../e2e/harness/app.js';
import { consoleTests } from './harness/console-tests.js';
import { focusedOn, tabTo } from './harness/keyboard.js';
import { ownProject } from './harness/own-project.js';

const here = consoleTests();
const press = (key: string) => here.page.keyboard.press(key);
const statusWith = async (secret: string) => (await here.app.as(secret).get('/v1/conversations')).status;

describe('whoever has a keyboard alone', () => {
  it('signs in, makes an API key, copies its secret and revokes it, and always sees where they are', async () => {
    const { project } = await ownProject(here.app);
    await here.visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await here.page.goto(`/admin/${project}/overview`);
    await here.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await tabTo(here.page, 'Admin password');
    await here.page.keyboard.type(ADMIN_PASSWORD);
    await press('Enter');
    await here.page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();

    await tabTo(here.page, 'API keys');
    await press('Enter');
    await here.page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
    await tabTo(here.page, 'Make a key');
    await press('Enter');
    await here.page.getByRole('dialog').waitFor();
    await tabTo(here.page, 'Name');
    await here.page.keyboard.type('by keyboard');
    await press('Enter');

    await here.page.getByText('The new key’s secret.').waitFor();
    await eventually(async () => expect(await focusedOn(here.page)).toMatchObject({ name: 'Make a key' }));
    await tabTo(here.page, 'Copy');
    await press('Enter');
    await here.page.getByRole('button', { name: 'Copied' }).waitFor();
    const secret = await here.page.evaluate(() => navigator.clipboard.readText());
    expect(await statusWith(secret)).toBe(200);

    await tabTo(here.page, 'Revoke');
    await press('Enter');
    await here.page.getByRole('dialog', { name: 'Revoke: by keyboard' }).waitFor();
    await tabTo(here.page, 'Revoke');
    await press('Enter');
    await here.page.getByRole('row').filter({ hasText: 'by keyboard' }).getByText('revoked').waitFor();
    await eventually(async () => expect(await statusWith(secret)).toBe(401));
  });

  it('comes by the first key past the navigation', async () => {
    await here.visit.goTo('/admin/projects');
    await here.page.reload();
    await here.visit.settled();
    await press('Tab');
    expect(await focusedOn(here.page)).toMatchObject({ name: 'Skip to content' });
    await press('Enter');
    await press('Tab');
    expect(await focusedOn(here.page)).toMatchObject({ name: 'Add a project' });
  });

  it('finds the search by a key, and the button again after a dialog was left', async () => {
    await here.visit.goTo('/admin/projects');
    await press('/');
    expect(await here.page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search');
    await tabTo(here.page, 'Add a project');
    await press('Enter');
    await here.page.getByRole('dialog').waitFor();
    await press('Escape');
    await here.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focusedOn(here.page)).toMatchObject({ name: 'Add a project' });
  });
});
