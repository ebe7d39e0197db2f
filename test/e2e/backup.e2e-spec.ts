import { randomBytes, randomInt } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_PASSWORD, API_KEY, App, startThatEnds } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { Example } from './harness/example.js';
import { errorOf } from './harness/expectations.js';
import { Installation } from './harness/installation.js';
import { book } from './harness/ledger.js';
import { Backend, LOCAL_HOOKS } from './harness/receiver.js';

const WRITERS = 4;
/** Longer than the wait before another attempt, by two sweeps. */
const UNTIL_OVERDUE_MS = 6_000;
const linesOf = (text: string) => text.split('\n').filter((line) => line !== '');

let app: App;
let folder: string;
const place = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'backups-'));
  app = await App.start();
});
afterAll(async () => {
  await app.dispose();
  rmSync(folder, { recursive: true });
});

/** A service on a copy, beside the one that it is of. */
const restored = (copy: string, variables: Record<string, string> = {}) =>
  App.start({ ...variables, DATA_DIR: copy }, new Installation());

/** A client's backend that posts and books until it is told to stop, and keeps what it was answered. */
class Writer {
  readonly acknowledged: { readonly conversation: string; readonly message: string; readonly appointment: string }[] = [];
  readonly statuses = new Set<number>();
  private stopped = false;
  private readonly ended: Promise<void>;

  constructor(
    private readonly name: string,
    private readonly api = app.api,
  ) {
    this.ended = this.work();
  }

  stop(): Promise<void> {
    this.stopped = true;
    return this.ended;
  }

  private async work(): Promise<void> {
    while (!this.stopped) {
      const said = await this.api.say(`${this.name}-${this.acknowledged.length}`, 'Hello');
      const booked = await book(this.api);
      for (const { status } of [said, booked]) this.statuses.add(status);
      this.acknowledged.push({ conversation: said.body.conversation_id, message: said.body.id, appointment: booked.body.id });
    }
  }
}

describe('a backup of a running service', () => {
  it('holds all that was acknowledged before it began, and clients are answered meanwhile', async () => {
    const key = { 'idempotency-key': 'before the backup' };
    const first = await app.api.say('before', 'Hello', {}, key);
    const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(`writer-${index}`));
    while (writers.some(({ acknowledged }) => acknowledged.length < 50)) await app.api.get('/v1/conversations?limit=1');
    const before = writers.flatMap(({ acknowledged }) => [...acknowledged]);
    const { code, stdout } = await app.run('backup.mjs', [place('loaded'), '--with-key']);
    const after = writers.flatMap(({ acknowledged }) => acknowledged).length;
    await Promise.all(writers.map((writer) => writer.stop()));
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Backed up into ${place('loaded')}`)]);
    expect(after).toBeGreaterThan(before.length);
    expect(new Set(writers.flatMap(({ statuses }) => [...statuses]))).toEqual(new Set([200, 201]));

    const copy = await restored(place('loaded'));
    for (const { conversation, message, appointment } of before) {
      const transcript = await copy.api.get(`/v1/conversations/${conversation}/messages`);
      expect(transcript.body.data).toMatchObject([{ id: message, content: 'Hello' }, { role: 'assistant' }]);
      expect((await copy.api.get(`/v1/appointments/${appointment}`)).status).toBe(200);
    }
    const again = await copy.api.say('before', 'Hello', {}, key);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    await copy.dispose();
  });

  it('is one file for its owner only, and with the key only where that is asked for', async () => {
    const { stdout } = await app.run('backup.mjs', [place('without-key')]);
    expect(readdirSync(place('without-key'))).toEqual(['store.sqlite']);
    expect(statSync(place('without-key')).mode & 0o777).toBe(0o700);
    expect(stdout).toContain('without the key it cannot be used');
    const { code, stderr } = await startThatEnds({ DATA_DIR: place('without-key') });
    expect([code, linesOf(stderr)]).toEqual([1, [expect.stringMatching(/^SECRETS_KEY /)]]);
    copyFileSync(join(app.dataDir, 'secrets.key'), join(place('without-key'), 'secrets.key'));
    const copy = await restored(place('without-key'));
    expect((await copy.api.get('/v1/conversations')).status).toBe(200);
    await copy.dispose();
  });

  it('goes nowhere that something is, and says so', async () => {
    writeFileSync(place('taken'), '');
    const refused = async (path: string) => (await app.run('backup.mjs', [path])).stderr;
    expect(await refused(folder)).toMatch(/^The folder \S+ is not empty: name one that is missing or empty\.\n$/);
    expect(await refused(place('taken'))).toMatch(/^The folder \S+ is a file/);
    expect(await refused('/dev/null/copy')).toMatch(/^The folder \/dev\/null\/copy cannot be/);
    expect(statSync(place('taken')).size).toBe(0);
  });

  it('is asked for with the admin password, and told where there is none', async () => {
    const withPassword = (ADMIN_PASSWORD: string) => app.run('backup.mjs', [place('unasked')], { ADMIN_PASSWORD });
    expect(await withPassword('a wrong one')).toMatchObject({ code: 1, stderr: 'The password is wrong.\n' });
    expect(await withPassword('')).toMatchObject({ code: 1, stderr: 'Set ADMIN_PASSWORD to the admin password.\n' });
    expect(existsSync(place('unasked'))).toBe(false);
  });

  it('is refused where a service runs on the directory and another address is asked', async () => {
    const { code, stderr } = await app.run('backup.mjs', [place('elsewhere'), '--url', 'http://127.0.0.1:1']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/in use by another process, at another address: name it with --url\n$/),
    ]);
  });

  it.each([[[]], [['one', 'two']], [['one', '--force']], [['one', '--url', 'nonsense']]])(
    'is not begun by npm run backup -- %j',
    async (args) => {
      const { code, stdout, stderr } = await app.run('backup.mjs', args);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^Usage: npm run backup -- <folder>/)]);
    },
  );
});

describe('a backup that was made under load and is restored on hold', () => {
  it('has every appointment that was acknowledged, and sends none of their webhooks until it is on', async () => {
    const backend = await Backend.start();
    const hook = backend.hook(503);
    const hooks = { ...LOCAL_HOOKS, RETRY_SCHEDULE: `0s${',3s'.repeat(20)}` };
    const lost = await App.start(hooks);
    await lost.api.post('/v1/webhook_endpoints', { url: hook.url });
    const writers = Array.from({ length: WRITERS }, (_, index) => new Writer(`lost-${index}`, lost.api));
    while (writers.some(({ acknowledged }) => acknowledged.length < 20)) await hook.received(hook.requests.length + 1);
    const before = writers.flatMap(({ acknowledged }) => [...acknowledged]);
    expect((await lost.run('backup.mjs', [place('held'), '--with-key'])).code).toBe(0);
    await Promise.all(writers.map((writer) => writer.stop()));
    await lost.dispose();
    // The receiver may not have read yet what the service sent before it was killed.
    await pause(1_000);

    const attempts = hook.requests.length;
    hook.answers = [200];
    const copy = await restored(place('held'), { ...hooks, WEBHOOK_DELIVERY: 'hold' });
    await pause(UNTIL_OVERDUE_MS);
    for (const { appointment } of before) expect((await copy.api.get(`/v1/appointments/${appointment}`)).status).toBe(200);
    expect(hook.requests).toHaveLength(attempts);

    await copy.restart({ WEBHOOK_DELIVERY: 'on' });
    await eventually(() => {
      const told = new Set(hook.requests.slice(attempts).map(({ body }) => JSON.parse(body).data.object.id));
      expect(before.filter(({ appointment }) => !told.has(appointment))).toEqual([]);
    });
    await copy.dispose();
    await backend.close();
  });
});

describe('the recipe that backs up and restores', () => {
  const recipe = (copy: string, variables: Record<string, string> = {}) =>
    Example.result('backup-and-restore.sh', { BASE_URL: app.url, KEY: API_KEY, ADMIN_PASSWORD, ...variables }, [copy]);

  it('makes a backup with its key, and shows it to be good beside the running service', async () => {
    const { body: appointment } = await book(app.api);
    const { body: message } = await app.api.say('backed up by a recipe', 'Hello');
    const { code, stdout, stderr } = await recipe(place('recipe'), { COPY_PORT: String(randomInt(10_000, 20_000)) });
    expect([code, stderr]).toEqual([0, '']);
    for (const there of [appointment.id, message.conversation_id, 'webhook_delivery']) expect(stdout).toContain(there);
    expect(readdirSync(place('recipe'))).toEqual(['secrets.key', 'store.sqlite']);
    expect((await app.api.say('goes on', 'Hello')).status).toBe(200);
  });

  it('makes one without the key where that is a setting, which it says is needed', async () => {
    const SECRETS_KEY = randomBytes(32).toString('base64');
    const keyed = await App.start({ SECRETS_KEY });
    const { body: appointment } = await book(keyed.api);
    const variables = { BASE_URL: keyed.url, SECRETS_KEY, COPY_PORT: String(randomInt(10_000, 20_000)) };
    const { code, stdout, stderr } = await recipe(place('keyed'), variables);
    expect([code, stderr]).toEqual([0, '']);
    for (const there of [appointment.id, "SECRETS_KEY='…' WEBHOOK_DELIVERY=hold"]) expect(stdout).toContain(there);
    expect([stdout.includes(SECRETS_KEY), readdirSync(place('keyed'))]).toEqual([false, ['store.sqlite']]);
    await keyed.dispose();
  });

  it('ends where no backup can be made', async () => {
    expect(await recipe(folder)).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') });
  });
});

describe('POST /admin/v1/backup', () => {
  it('answers with what was written, once it is there', async () => {
    const admin = await app.admin();
    const { status, body } = await admin.post('/admin/v1/backup', { folder: place('asked') });
    const bytes = statSync(join(place('asked'), 'store.sqlite')).size;
    expect([status, body]).toEqual([
      201,
      { object: 'backup', folder: place('asked'), bytes, with_key: false, created_at: expect.stringMatching(/Z$/) },
    ]);
  });

  it('takes an absolute path only', async () => {
    const admin = await app.admin();
    for (const path of ['copy', './copy', '../copy', '~/copy', 'C:copy', 'nul\0', 7]) {
      const refused = await admin.post('/admin/v1/backup', { folder: path });
      expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'folder']);
    }
    expect(errorOf(await admin.post('/admin/v1/backup', {}))).toEqual([
      400,
      'invalid_request_error',
      'parameter_missing',
      'folder',
    ]);
  });

  it('is refused with a reason where the folder is not empty', async () => {
    const refused = await (await app.admin()).post('/admin/v1/backup', { folder });
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'backup_refused', 'folder']);
    expect(refused.headers.get('service-should-retry')).toBe('false');
  });

  it('is for administrators: neither an API key nor anybody else has a folder written', async () => {
    for (const client of [app.as(API_KEY), app.as(null), app.as('adm_nonsense')]) {
      const { status } = await client.post('/admin/v1/backup', { folder: place('stranger') });
      expect(status).toBe(401);
    }
    expect(existsSync(place('stranger'))).toBe(false);
  });
});

describe('a backup that is restored', () => {
  const restore = () => app.run('backup.mjs', ['--restore', place('to-restore')]);

  it('takes the place of the data of a stopped service, also beside what a killed one left', async () => {
    await app.run('backup.mjs', [place('to-restore')]);
    const { body } = await app.api.say('after-the-backup', 'Hello');
    await app.kill();
    copyFileSync(join(place('to-restore'), 'store.sqlite'), join(app.dataDir, 'store.sqlite'));
    const refused = await startThatEnds({ DATA_DIR: app.dataDir });
    expect(linesOf(refused.stderr)).toEqual([
      expect.stringMatching(/^DATA_DIR: .*store\.sqlite and .*-wal do not belong together/),
    ]);

    const { code, stdout } = await restore();
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Restored ${place('to-restore')} into ${app.dataDir}`)]);
    await app.restart();
    expect((await app.api.get('/v1/conversations')).body.data.length).toBeGreaterThan(0);
    expect(await app.api.get(`/v1/conversations/${String(body.conversation_id)}`)).toMatchObject({ status: 404 });
  });

  it('is refused while a service runs on the directory', async () => {
    const { code, stderr } = await restore();
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/is in use by another process: stop the service first, then restore$/m),
    ]);
    expect((await app.api.get('/ready')).status).toBe(200);
  });
});

describe('a backup of a stopped service', () => {
  it('is made by the same command, without a password', async () => {
    await app.stop();
    const { code, stdout } = await app.run('backup.mjs', [place('stopped'), '--with-key'], { ADMIN_PASSWORD: '' });
    expect([code, stdout]).toEqual([0, expect.stringContaining('checked')]);
    const copy = await restored(place('stopped'));
    expect((await copy.api.get('/v1/conversations')).body.data.length).toBeGreaterThan(0);
    await copy.dispose();
  });

  it('is refused where no service was ever started, and makes nothing there', async () => {
    const { code, stderr } = await app.run('backup.mjs', [place('nothing')], { DATA_DIR: place('never') });
    expect([code, stderr]).toEqual([1, `DATA_DIR: the data directory ${place('never')} holds no data of a service\n`]);
    expect([place('nothing'), place('never')].map((path) => existsSync(path))).toEqual([false, false]);
  });

  it('with the key is refused where the key is a setting', async () => {
    const key = join(app.dataDir, 'secrets.key');
    rmSync(key);
    const { code, stderr } = await app.run('backup.mjs', [place('keyless'), '--with-key']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no secrets.key to copy: the key is what SECRETS_KEY is set to/),
    ]);
    expect(existsSync(place('keyless'))).toBe(false);
  });
});
