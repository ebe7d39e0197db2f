import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { consoleTests } from './harness/console-tests.js';
import { button, dialog } from './harness/parts.js';

const here = consoleTests();

describe('a backup', () => {
  it('is made into a folder of the machine, or refused, as it is by the API', async () => {
    here.visit.expects(/^409 \/admin\/v1\/backup$/);
    const [one, other] = [join(tmpdir(), `backup-${randomUUID()}`), join(tmpdir(), `backup-${randomUUID()}`)];
    try {
      const { status, body } = await (await here.app.admin()).post('/admin/v1/backup', { folder: one });
      await here.visit.goTo('/admin/projects');
      await button(here.page, 'Back up').click();
      await dialog(here.page).getByLabel('Folder of the service’s machine').fill(other);
      await button(dialog(here.page), 'Back up').click();
      const told = status === 201 ? `${other} has the copy` : body.error.code;
      await expect(dialog(here.page).getByText(told).waitFor()).resolves.toBeUndefined();
      await button(dialog(here.page), 'Back up').click();
      await expect(dialog(here.page).getByText('backup_refused', { exact: true }).waitFor()).resolves.toBeUndefined();
    } finally {
      for (const folder of [one, other]) await rm(folder, { recursive: true, force: true });
    }
  });
});
