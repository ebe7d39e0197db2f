import { ADMIN_PASSWORD, App } from './harness/app.js';
import { eventually } from './harness/eventually.js';

const NOT_IN_FORCE = /ADMIN_PASSWORD is not in force/g;

describe('an admin password that is lost', () => {
  let app: App;
  beforeEach(async () => void (app = await App.start()));
  afterEach(() => app.dispose());

  const login = (password: string) => app.as(null).post('/admin/v1/login', { password });
  const reset = () => app.run('admin.mjs', ['reset-password']);
  const passwordOf = (text: string) => /Admin password +(\S+)/.exec(text)?.[1] ?? '';

  it('is replaced by one that is printed once and opens the login, although wrong ones have locked it', async () => {
    for (let time = 0; time < 6; time++) await login('forgotten');
    expect((await login(ADMIN_PASSWORD)).status).toBe(429);
    await app.stop();
    const { code, stdout } = await reset();
    expect([code, stdout.match(/Admin password/g)]).toEqual([0, ['Admin password']]);
    await app.restart();
    expect((await login(passwordOf(stdout))).status).toBe(200);
    expect((await login(ADMIN_PASSWORD)).status).toBe(401);
    expect([app.stdout, app.log].join()).not.toContain(passwordOf(stdout));
  });

  it('takes every open session with it, and no API key', async () => {
    const { token } = (await login(ADMIN_PASSWORD)).body;
    await app.stop();
    await reset();
    await app.restart();
    expect((await app.as(token).get('/admin/v1/session')).status).toBe(401);
    expect((await app.api.get('/v1/conversations')).status).toBe(200);
  });

  it('is warned of once at each start with a setting that is not in force, and at no other', async () => {
    await app.restart();
    await app.stop();
    expect(app.log).not.toMatch(NOT_IN_FORCE);
    const password = passwordOf((await reset()).stdout);
    await app.restart();
    await eventually(() => expect(app.stderr.match(NOT_IN_FORCE)).toHaveLength(1));
    await app.restart({ ADMIN_PASSWORD: password });
    await app.restart({ ADMIN_PASSWORD: '' });
    await app.stop();
    expect(app.log.match(NOT_IN_FORCE)).toHaveLength(1);
  });

  it.each([[[]], [['reset']], [['reset-password', 'please']]])('is left alone by npm run admin -- %j', async (args) => {
    const { code, stdout, stderr } = await app.run('admin.mjs', args);
    expect([code, stdout, stderr]).toEqual([1, '', 'Usage: npm run admin -- reset-password\n']);
  });
});
