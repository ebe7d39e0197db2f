import { ADMIN_PASSWORD } from '../e2e/harness/app.js';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog } from './harness/parts.js';

const NEW_PASSWORD = 'a new password of some length';

const here = consoleTests();
const fill = async (current: string, next: string) => {
  await dialog(here.page).getByLabel('Current password').fill(current);
  await dialog(here.page).getByLabel('New password').fill(next);
  await button(dialog(here.page), 'Change password').click();
};
const refusal = (code: string) => dialog(here.page).getByRole('alert').getByText(code, { exact: true });

describe('the admin password', () => {
  it('is changed beside the sign-out: the session goes on, and every other one ends', async () => {
    here.visit.expects(/^(401|400) \/admin\/v1\/password$/);
    await here.visit.goTo('/admin/projects');
    const other = await here.app.admin();
    await button(here.page, 'Change password').click();
    await fill('not this one', NEW_PASSWORD);
    await refusal('admin_password_invalid').waitFor();
    expect(await here.page.getByText('Your session has ended').count()).toBe(0);
    await fill(ADMIN_PASSWORD, 'too short');
    await refusal('parameter_invalid').waitFor();
    await fill(ADMIN_PASSWORD, NEW_PASSWORD);
    await dialog(here.page).getByText('Every other session has ended.').waitFor();
    await button(dialog(here.page), 'Close').click();
    await here.page.getByRole('link', { name: 'Audit', exact: true }).click();
    await here.page.getByText('POST /admin/v1/password').first().waitFor();

    expect((await other.get('/admin/v1/session')).status).toBe(401);
    await button(here.page, 'Sign out').click();
    await here.visit.signIn(NEW_PASSWORD);
    await expect(button(here.page, 'Sign out').waitFor()).resolves.toBeUndefined();
  });
});
