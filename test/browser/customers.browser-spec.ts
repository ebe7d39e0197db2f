import { readFile } from 'node:fs/promises';
import { consoleTests } from './harness/console-tests.js';
import { ownProject } from './harness/own-project.js';
import { button, dialog, fact, shows } from './harness/parts.js';

const here = consoleTests();

describe('a customer', () => {
  it('is changed, and all that is stored of them is downloaded', async () => {
    const { project, client } = await ownProject(here.app);
    const { body } = await client.post('/v1/customers', { name: 'Anna', phone: '+4915112345678', metadata: { tier: 1 } });
    await here.visit.goTo(`/admin/${project}/customers/${body.id}`);
    await button(here.page, 'Edit').click();
    await dialog(here.page).getByRole('textbox', { name: 'Name', exact: true }).fill('Anna Blum');
    await dialog(here.page).getByText('The same with curl').click();
    await shows(dialog(here.page), JSON.stringify({ name: 'Anna Blum' }));
    await button(dialog(here.page), 'Save').click();
    await shows(fact(here.page, 'Name'), 'Anna Blum');

    const download = here.page.waitForEvent('download');
    await here.page.getByRole('link', { name: 'Download the export' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe(`${body.id}.json`);
    const stored = JSON.parse(await readFile(await file.path(), 'utf8')) as unknown;
    expect(stored).toEqual((await client.get(`/v1/customers/${body.id}/export`)).body);
  });
});
