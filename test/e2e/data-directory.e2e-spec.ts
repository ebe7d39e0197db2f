import { DatabaseSync } from '@photostructure/sqlite';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ADMIN_PASSWORD, App, startThatEnds } from './harness/app.js';
import type { Answer } from './harness/client.js';
import { eventually } from './harness/eventually.js';

const linesOf = (stderr: string) => stderr.split('\n').filter((line) => line !== '');
const marksOf = ({ headers }: Answer) => [headers.get('idempotent-replayed'), headers.get('original-request')];
let count = 0;
const newKey = () => ({ 'idempotency-key': `key-${++count}` });

let app: App;
beforeEach(async () => void (app = await App.start()));
afterEach(() => app.dispose());

describe('a start on the embedded engine', () => {
  it('loads no driver of the cluster engine', async () => {
    const hook = pathToFileURL(join(__dirname, 'harness/without-drivers.mjs')).href;
    const withoutDrivers = { NODE_OPTIONS: `--import=${hook}` };
    await app.restart(withoutDrivers);
    expect((await app.api.say('without drivers', 'Hello')).status).toBe(200);
    const cluster = { ENGINE: 'cluster', SECRETS_KEY: Buffer.alloc(32).toString('base64') };
    const { code, stderr } = await startThatEnds({ ...withoutDrivers, ...cluster });
    expect([code, stderr]).toEqual([1, expect.stringContaining('a driver of the cluster engine')]);
  });

  it('makes the key of the installation, for its owner only', () => {
    const file = join(app.dataDir, 'secrets.key');
    expect(existsSync(file)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('warns of a directory and a key that other users may get at, and of nothing once they may not', async () => {
    const file = join(app.dataDir, 'secrets.key');
    const warned = () => [...app.stderr.matchAll(/other users may get at (\S+), whose mode is (\d+); it should be (\d+)/g)];
    expect(warned()).toEqual([]);
    chmodSync(app.dataDir, 0o777);
    chmodSync(file, 0o644);
    await app.restart();
    await eventually(() =>
      expect(warned().map(([, ...told]) => told)).toEqual([
        [app.dataDir, '0777', '0700'],
        [file, '0644', '0600'],
      ]),
    );
    chmodSync(app.dataDir, 0o700);
    chmodSync(file, 0o600);
    await app.restart();
    await eventually(() => expect(app.stderr).toContain('"configuration"'));
    expect((await app.api.get('/v1/conversations')).status).toBe(200);
    expect(warned()).toEqual([]);
  });

  it('on a directory in use is refused in one line', async () => {
    const { code, stderr } = await startThatEnds({ DATA_DIR: app.dataDir });
    expect([code, linesOf(stderr)]).toEqual([1, [expect.stringMatching(/^DATA_DIR: .* in use by another process$/)]]);
    expect((await app.api.get('/v1/conversations')).status).toBe(200);
  });

  it.each(['/dev/null/data', '/dev/null', '/proc/nothing/here'])(
    'with DATA_DIR=%s is refused in one line that names it',
    async (DATA_DIR) => {
      const { code, stderr } = await startThatEnds({ DATA_DIR });
      expect([code, linesOf(stderr)]).toEqual([1, [expect.stringMatching(/^DATA_DIR\b/)]]);
    },
  );

  it('without the key that its data were sealed with is refused, and goes on once the key is back', async () => {
    const repeated = { 'idempotency-key': 'before the key was lost' };
    const answer = await app.api.say('sealed', 'Hello', {}, repeated);
    const file = join(app.dataDir, 'secrets.key');
    const key = readFileSync(file);
    await app.stop();
    rmSync(file);
    const files = readdirSync(app.dataDir);
    const anotherKey = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
    for (const variables of [{}, anotherKey]) {
      const { code, stderr } = await startThatEnds({ DATA_DIR: app.dataDir, ...variables });
      expect([code, linesOf(stderr)]).toEqual([1, [expect.stringMatching(/^SECRETS_KEY /)]]);
      expect(readdirSync(app.dataDir)).toEqual(files);
    }
    writeFileSync(file, key);
    await app.restart();
    expect((await app.api.say('sealed', 'Hello', {}, repeated)).text).toBe(answer.text);
  });
});

describe('the password of the administrator, once it is lost', () => {
  const login = () => app.as(null).post('/admin/v1/login', { password: ADMIN_PASSWORD });

  it('is not replaced while a service runs on the data directory, which says so', async () => {
    const { code, stdout, stderr } = await app.run('admin.mjs', ['reset-password']);
    expect([code, stdout]).toEqual([1, '']);
    expect(linesOf(stderr)).toEqual([expect.stringMatching(/^DATA_DIR: .* in use by another process: stop the service first/)]);
    expect((await login()).status).toBe(200);
  });

  it('is not looked for where no service was ever started, and nothing is made there', async () => {
    const elsewhere = join(app.dataDir, 'elsewhere');
    await app.stop();
    const nowhere = await app.run('admin.mjs', ['reset-password'], { DATA_DIR: elsewhere });
    expect([nowhere.code, linesOf(nowhere.stderr)]).toEqual([
      1,
      [`DATA_DIR: the data directory ${elsewhere} holds no data of a service`],
    ]);
    expect(existsSync(elsewhere)).toBe(false);
  });
});

describe('a key of version 0.1.0, which did not keep every answer', () => {
  /** Reduces each record to its claim, as that version left it. */
  async function forgetAnswers(): Promise<number> {
    await app.kill();
    const db = new DatabaseSync(join(app.dataDir, 'store.sqlite'));
    const rows = db.prepare(`SELECT key, value FROM expiring_records WHERE value LIKE '%"answer":%'`).all();
    for (const { key, value } of rows as { key: string; value: string }[]) {
      const { answer: _, ...claim } = JSON.parse(value.split('\n')[0]!) as Record<string, unknown>;
      db.prepare('UPDATE expiring_records SET value = ? WHERE key = ?').run(JSON.stringify(claim), key);
    }
    db.close();
    await app.restart();
    return rows.length;
  }

  it('replays from the turn: the same ids and contents, and the conversation as it is by then', async () => {
    const key = newKey();
    const first = await app.api.say('kept by its turn', 'Hello', {}, key);
    await app.api.say('kept by its turn', 'And then?');
    const ended = await app.api.post(`/v1/conversations/${first.body.conversation_id}/end`);
    expect(await forgetAnswers()).toBe(1);
    const again = await app.api.say('kept by its turn', 'Hello', {}, key);
    expect([again.status, again.body]).toEqual([200, { ...first.body, conversation: ended.body }]);
    expect(marksOf(again)).toEqual(['true', first.headers.get('request-id')]);
    const transcript = await app.api.get(`/v1/conversations/${first.body.conversation_id}/messages`);
    expect(transcript.body.data).toHaveLength(4);
  });

  it('is kept from then on, in the name of the first request', async () => {
    const key = newKey();
    const first = await app.api.say('kept at last', 'Hello', {}, key);
    await forgetAnswers();
    const again = await app.api.say('kept at last', 'Hello', {}, key);
    await app.api.post(`/v1/conversations/${first.body.conversation_id}/end`);
    const onceMore = await app.api.say('kept at last', 'Hello', {}, key);
    expect([again.text, onceMore.text]).toEqual([first.text, first.text]);
    expect(marksOf(onceMore)).toEqual(['true', first.headers.get('request-id')]);
  });
});
