import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_PASSWORD, App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { Example } from './harness/example.js';
import { book, change, nextSlot } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, subscribe, verified } from './harness/receiver.js';

let app: App;
let backend: Backend;
beforeAll(async () => {
  const slow = { ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' };
  [app, backend] = await Promise.all([App.start(slow), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

describe('the recipe that rotates keys', () => {
  const rotate = (KEY: string, variables = {}) =>
    Example.result('key-rotation.sh', { BASE_URL: app.url, KEY, ADMIN_PASSWORD, ...variables });
  const loggedOut = async () => {
    const { text } = await app.as(null).get('/metrics');
    return Number(/^http_request_duration_seconds_count\{.*"\/admin\/v1\/logout".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  it('replaces an API key and the secrets of its endpoints, and the old ones work on meanwhile', async () => {
    const { client, id, secret: old } = await subscribe(app, backend.hook(200).url);
    const hook = backend.hook(200);
    await client.patch(`/v1/webhook_endpoints/${id}`, { url: hook.url });
    const { code, stdout, stderr } = await rotate(client.token ?? '');
    expect([code, stderr]).toEqual([0, '']);
    const [, key = ''] = /^New API key: (sk_\S+)$/m.exec(stdout) ?? [];
    const [, secret = ''] = new RegExp(`^New secret of ${id}: (whsec_\\S+)$`, 'm').exec(stdout) ?? [];
    expect([client.token, old]).not.toEqual([key, secret]);
    expect((await app.as(key).get('/v1/conversations')).status).toBe(200);
    await book(client);
    const [request] = await hook.received();
    for (const each of [old, secret]) expect(verified(request!, each)).toMatchObject({ type: 'appointment.created' });
  });

  it('replaces nothing where no key begins like that', async () => {
    const stderr = '0 active keys with the scopes for webhooks begin like KEY: rotate yours by its id.\n';
    expect(await rotate('sk_?')).toEqual({ code: 1, stdout: '', stderr });
  });

  it('replaces nothing where the key may not rotate the secrets of endpoints', async () => {
    const reader = await app.otherProject('reader', ['webhooks:read', 'conversations:read']);
    expect(await rotate(reader.token ?? '')).toMatchObject({ code: 1, stdout: '' });
    expect((await reader.get('/v1/conversations')).status).toBe(200);
  });

  it('ends with the answer that refused it, and ends the session that it has begun', async () => {
    const wrong = await rotate('sk_?', { ADMIN_PASSWORD: 'not the password' });
    expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('"admin_password_invalid"') });
    const { client } = await subscribe(app, backend.hook(200).url);
    const before = await loggedOut();
    const endless = await rotate(client.token ?? '', { GRACE: '9999999' });
    expect(endless).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('grace_period_seconds') });
    expect(await loggedOut()).toBe(before + 1);
  });
});

const signatureOf = (secret: string, time: number, body: string) =>
  `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;

/** The suite that has Python names it: `npm test` needs nothing but Node. */
const receivers = ['receive-webhooks.mjs', ...(process.env['EXAMPLES_PYTHON'] === undefined ? [] : ['receive_webhooks.py'])];

describe.each(receivers)('the receiver %s', (file) => {
  /** An endpoint whose receiver is the example; it is registered first, because the answer has the secret. */
  async function received() {
    const hook = backend.hook(204);
    const subscription = await subscribe(app, hook.url);
    const start = (secret: string) => Example.listening(file, { WEBHOOK_SECRET: secret, PORT: '0' });
    const { url, example } = await start(subscription.secret);
    await subscription.client.patch(`/v1/webhook_endpoints/${subscription.id}`, { url });
    return { ...subscription, hook, url, example, start };
  }

  it('accepts what is delivered, and keeps the newest version of an appointment', async () => {
    const { client, url, id, example } = await received();
    const { body } = await book(client);
    await deliveryIn('succeeded', client);
    await change(client, body.id, 'confirm');
    const delivery = await deliveryIn('succeeded', client);
    await client.post(`/v1/events/${delivery.event_id}/deliveries/${delivery.id}/retry`);
    await eventually(() => expect(example.stdout.match(/^(kept|known) .*$/gm)).toHaveLength(3));
    const [booked, confirmed, replayed] = example.stdout.match(/^(kept|known) .*$/gm) ?? [];
    expect(booked).toMatch(new RegExp(`^kept appointment.created evt_\\w+ ${body.id} version 1 pending$`));
    expect(confirmed).toMatch(new RegExp(`^kept appointment.confirmed evt_\\w+ ${body.id} version 2 confirmed$`));
    expect(replayed).toBe(confirmed?.replace('kept', 'known'));
    expect([url, id]).toEqual([expect.stringMatching(/^http:/), expect.stringMatching(/^we_/)]);
    await example.stop();
  });

  it('refuses a signature that is wrong, old, absent or another body’s', async () => {
    const { client, id, hook, url, secret, example } = await received();
    await client.patch(`/v1/webhook_endpoints/${id}`, { url: hook.url });
    await book(client, { starts_at: nextSlot() });
    const [request] = await hook.received();
    const { body = '', headers } = request ?? {};
    const signature = String(headers?.['service-signature']);
    const post = async (text: string, given?: string) =>
      (await fetch(url, { method: 'POST', body: text, headers: given === undefined ? {} : { 'service-signature': given } }))
        .status;
    const signedAt = (seconds: number) => signatureOf(secret, Math.floor(Date.now() / 1_000) + seconds, body);
    expect(await post(body, signature)).toBe(204);
    expect(await post(body, signedAt(-290))).toBe(204);
    const refused = [
      [body, signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))],
      [body.replace('"pending"', '"confirmed"'), signature],
      [`${body} `, signature],
      [body, signedAt(-310)],
      [body, signedAt(310)],
      [body, signature.replace(/^t=\d+/, (time) => `t=${Number(time.slice(2)) + 1}`)],
      [body, signatureOf('whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj', Math.floor(Date.now() / 1_000), body)],
      [body, signature.replace('v1=', 'v0=')],
      [body, signature.replace(/,v1.*/, '')],
      [body, signature.replace(/^t=\d+,/, '')],
      [body, 't=,v1='],
      [body, 'nonsense'],
      [body, ''],
    ] as const;
    for (const [text, given] of refused) expect([given, await post(text, given)]).toEqual([given, 400]);
    expect(await post(body)).toBe(400);
    await example.stop();
  });

  it('accepts with the old secret and with the new one while it is rotated', async () => {
    const { client, id, hook, secret, start, example } = await received();
    await example.stop();
    const rotated = (await client.post(`/v1/webhook_endpoints/${id}/rotate_secret`)).body.secret as string;
    expect(rotated).not.toBe(secret);
    for (const one of [secret, rotated]) {
      const again = await start(one);
      await client.patch(`/v1/webhook_endpoints/${id}`, { url: again.url });
      await book(client);
      await deliveryIn('succeeded', client);
      expect(again.example.stdout).toContain('kept appointment.created');
      await again.example.stop();
    }
    await client.post(`/v1/webhook_endpoints/${id}/rotate_secret`, { grace_period_seconds: 0 });
    const late = await start(secret);
    await client.patch(`/v1/webhook_endpoints/${id}`, { url: late.url });
    await book(client);
    expect(await deliveryIn('failed', client)).toMatchObject({
      failure_reason: 'permanent_rejection',
      last_response_status: 400,
    });
    await late.example.stop();
    expect(hook.requests).toEqual([]);
  });
});

describe('the receiver that keeps what it has, and reconciles', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'received-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('gets again what it has lost, and lacks nothing afterwards', async () => {
    const { client, id, secret } = await subscribe(app, backend.hook(204).url);
    const RECEIVED = join(folder, 'received.txt');
    const { url, example } = await Example.listening('receive-webhooks.mjs', { WEBHOOK_SECRET: secret, PORT: '0', RECEIVED });
    await client.patch(`/v1/webhook_endpoints/${id}`, { url });
    await book(client);
    await deliveryIn('succeeded', client);
    await book(client, { starts_at: nextSlot() });
    const lost = await deliveryIn('succeeded', client);
    const lines = () => readFileSync(RECEIVED, 'utf8').split('\n').filter(Boolean);
    writeFileSync(RECEIVED, `${lines()[0]}\n`);
    const [SINCE, UNTIL] = [-3_600_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const variables = { BASE_URL: app.url, KEY: client.token ?? '', ENDPOINT: id, RECEIVED, SINCE: SINCE!, UNTIL: UNTIL! };
    const reconcile = () => Example.result('reconcile-webhooks.mjs', variables);
    const told = (missing: number) => `${SINCE} to ${UNTIL}: completed, expected 2, missing ${missing}, unknown 0\n`;
    expect(await reconcile()).toEqual({ code: 0, stdout: told(1), stderr: '' });
    await eventually(() => expect(lines()).toHaveLength(2));
    expect(lines()[1]).toMatch(new RegExp(` ${lost.event_id}$`));
    await deliveryIn('succeeded', client, lost.event_id);
    expect(await reconcile()).toEqual({ code: 0, stdout: told(0), stderr: '' });
    await example.stop();
  });
});
