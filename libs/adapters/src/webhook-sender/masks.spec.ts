import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { NodeAddressGuard } from './hardening/address-guard.node.js';
import { maskFor } from './masks.js';
import { SocketWebhookSender } from './webhook-sender.sockets.js';

const [HEX, OLD_HEX] = ['d262644fe286615add04a1ac1559248b'.repeat(2), 'a'.repeat(64)];
const BASE64 = '1cni3MuXVbThDCTv5b4T30derT4xm8PSwzLFo/vGu90=';
const SENT = {
  'Service-Signature': `t=1700000000,v1=${HEX},v1=${OLD_HEX}`,
  'webhook-id': 'evt_1',
  'webhook-signature': `v1,${BASE64}`,
};
const TOKEN = 'Bearer tok_en/4711+"x"';

async function answerOf(confidential: readonly string[], headers = SENT as Readonly<Record<string, string>>) {
  const receiver = await Receiver.http((request, response) => {
    response.setHeader('x-heard', String(request.headers['webhook-signature']));
    response.setHeader('x-token', String(request.headers['authorization']));
    response.end(JSON.stringify(request.headers));
  });
  const guard = new NodeAddressGuard({ allowHttp: true, allowCidrs: ['127.0.0.0/8'] });
  const sender = new SocketWebhookSender(guard, new FakeClock(), { timeoutMs: 15_000 });
  const result = await sender.send({ projectId: 'prj_1', url: receiver.url('/'), headers, body: '{}', confidential });
  await Promise.all([receiver.close(), sender.close()]);
  return result;
}

describe('a receiver that repeats our signatures', () => {
  it('has them taken out of its answer', async () => {
    const result = await answerOf([]);
    const told = JSON.stringify(result);
    for (const signature of [HEX, OLD_HEX, BASE64]) expect(told).not.toContain(signature);
    expect(result).toMatchObject({ kind: 'answered', headers: { 'x-heard': 'v1,[redacted]' } });
    expect(told).toContain('t=1700000000,v1=[redacted],v1=[redacted]');
  });

  it('has only them taken out', () => {
    const mask = maskFor({ headers: SENT });
    expect(mask(`v1=${HEX} and v1=${'b'.repeat(64)}`, false)).toBe(`v1=[redacted] and v1=${'b'.repeat(64)}`);
    expect(mask('evt_1', true)).toBe('evt_1');
  });
});

describe('a receiver that repeats confidential headers', () => {
  it('has them masked in the headers and the body of its answer', async () => {
    const result = await answerOf([TOKEN], { ...SENT, Authorization: TOKEN });
    expect(result).toMatchObject({
      headers: { 'x-token': '********' },
      body: expect.stringContaining('"authorization":"********"'),
    });
    expect(JSON.stringify(result)).not.toContain('tok_en');
  });

  const mask = maskFor({ headers: {}, confidential: [TOKEN, 'prod', `Basic ${Buffer.from('me:pass word').toString('base64')}`] });

  it.each([
    ['as written', TOKEN],
    ['without its scheme', 'unknown: tok_en/4711+"x"'],
    ['in JSON', JSON.stringify({ got: TOKEN })],
    ['in JSON with slashes escaped', JSON.stringify({ got: TOKEN }).replaceAll('/', '\\/')],
    ['in HTML', '<p>Bearer tok_en/4711+&quot;x&quot;</p>'],
    ['in a URL', `?t=${encodeURIComponent(TOKEN)}`],
    ['in a form', `t=${encodeURIComponent(TOKEN).replaceAll('%20', '+')}`],
  ])('has them masked %s', (_how, told) => {
    expect(mask(told, false)).toContain('********');
    expect(mask(told, false)).not.toContain('4711');
  });

  it('has the password behind Basic masked, encoded or not', () => {
    expect(mask(`no ${Buffer.from('me:pass word').toString('base64')} for me:pass word, pass word`, false)).toBe(
      'no ******** for ********, ********',
    );
  });

  it('has short ones masked where they stand alone, so that the rest can be read', () => {
    expect(maskFor({ headers: {}, confidential: ['ab'] })('ab', true)).toBe('********');
    expect(mask('{"x-env":"prod"} in production', false)).toBe('{"x-env":"********"} in production');
  });

  it('has the beginning of one masked where its answer is cut off', () => {
    expect(mask('got Bearer tok_en/47', true)).toBe('got ********');
    expect(mask('got Bearer tok_en/47', false)).toBe('got Bearer tok_en/47');
  });
});
