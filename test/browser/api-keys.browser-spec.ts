import { eventually } from '../e2e/harness/eventually.js';
import { consoleTests } from './harness/console-tests.js';

const here = consoleTests();
const dialog = () => here.page.getByRole('dialog');
const secretShown = async () => (await here.page.getByRole('status').locator('code').first().textContent()) ?? '';
const statusWith = async (secret: string) => (await here.app.as(secret).get('/v1/conversations')).status;

async function projectWith(name: string): Promise<string> {
  const admin = await here.app.admin();
  return (await admin.post('/admin/v1/projects', { name })).body.id;
}

async function makeKey(project: string, name: string): Promise<string> {
  await here.visit.goTo(`/admin/${project}/api-keys`);
  await here.page.getByRole('button', { name: 'Make a key' }).first().click();
  await dialog().getByLabel('Name').fill(name);
  await dialog().getByRole('button', { name: 'Make a key' }).click();
  await here.page.getByText('The new key’s secret.').waitFor();
  return secretShown();
}

/** The row of the active key. */
const activeKey = () => here.page.getByRole('row').filter({ hasText: 'active' });

describe('an API key made in the console', () => {
  it('opens its project for a client, and its secret is not shown again', async () => {
    const secret = await makeKey(await projectWith('of clients'), 'backend');
    expect(secret).toMatch(/^sk_/);
    expect(await statusWith(secret)).toBe(200);
    await here.page.reload();
    await here.visit.settled();
    await expect(activeKey().waitFor()).resolves.toBeUndefined();
    expect(await here.page.content()).not.toContain(secret);
  });

  it('has only the scopes that were left', async () => {
    const project = await projectWith('with scopes');
    await here.visit.goTo(`/admin/${project}/api-keys`);
    await here.page.getByRole('button', { name: 'Make a key' }).first().click();
    await dialog().getByLabel('Name').fill('reader');
    await dialog().getByLabel('conversations:read').uncheck();
    await dialog().getByRole('button', { name: 'Make a key' }).click();
    await here.page.getByText('The new key’s secret.').waitFor();
    const client = here.app.as(await secretShown());
    expect((await client.get('/v1/conversations')).status).toBe(403);
    expect((await client.get('/v1/customers')).status).toBe(200);
  });

  it('is rotated: the new secret works, the old one no longer', async () => {
    const old = await makeKey(await projectWith('rotated'), 'backend');
    await activeKey().getByRole('button', { name: 'Rotate' }).click();
    await dialog().getByRole('combobox').selectOption('0');
    await dialog().getByRole('button', { name: 'Rotate' }).click();
    await dialog().waitFor({ state: 'detached' });
    await eventually(async () => expect(await secretShown()).not.toBe(old));
    expect(await statusWith(await secretShown())).toBe(200);
    await eventually(async () => expect(await statusWith(old)).toBe(401));
  });

  it('is revoked: requests with it are refused', async () => {
    const secret = await makeKey(await projectWith('revoked'), 'backend');
    await activeKey().getByRole('button', { name: 'Revoke' }).click();
    await dialog().getByRole('button', { name: 'Revoke' }).click();
    await here.page.getByRole('row').filter({ hasText: 'revoked' }).waitFor();
    await eventually(async () => expect(await statusWith(secret)).toBe(401));
  });
});
