import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_PASSWORD, App } from '../e2e/harness/app.js';
import { errorOf } from '../e2e/harness/expectations.js';

describe('beside gateways that go on', () => {
  let app: App;
  beforeAll(async () => void (app = await App.start()));
  afterAll(() => app.dispose());

  const login = (password: string) => app.as(null).post('/admin/v1/login', { password });

  it('a backup is refused, and EventStoreDB named instead', async () => {
    const folder = join(app.dataDir, 'copy');
    const refused = await (await app.admin()).post('/admin/v1/backup', { folder, with_key: true });
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'backup_refused', 'folder']);
    const { code, stdout, stderr } = await app.run('backup.mjs', [folder, '--with-key']);
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('back up EventStoreDB with its own tools')]);
    expect(existsSync(folder)).toBe(false);
  });

  it('a lost admin password is replaced, and the sessions of the old one are over', async () => {
    const { token } = (await login(ADMIN_PASSWORD)).body;
    const { code, stdout } = await app.run('admin.mjs', ['reset-password']);
    const password = /Admin password +(\S+)/.exec(stdout)?.[1] ?? '';
    expect([code, (await login(password)).status, (await login(ADMIN_PASSWORD)).status]).toEqual([0, 200, 401]);
    expect((await app.as(token).get('/admin/v1/session')).status).toBe(401);
  });
});
