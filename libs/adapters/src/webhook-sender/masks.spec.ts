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

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inSmallLetters = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
/** As libraries escape characters they do not trust. */
const ESCAPES: Readonly<Record<string, (text: string) => string>> = {
  JSON: inJson,
  'JSON with slashes escaped': (text) => inJson(text).replaceAll('/', '\\/'),
  'JSON as .NET writes it': (text) => text.replaceAll('+', '\\u002B').replaceAll('"', '\\u0022'),
  'a URL': encodeURI,
  'a part of a URL': encodeURIComponent,
  'a URL in small letters': (text) => inSmallLetters(encodeURIComponent(text)),
  'a form': (text) => encodeURIComponent(text).replaceAll('%20', '+'),
};

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
    const { requestHeaders: sent, ...shown } = result;
    expect(sent).toMatchObject(SENT);
    const told = JSON.stringify(shown);
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
    expect(JSON.stringify({ ...result, requestHeaders: null })).not.toContain('tok_en');
  });

  const mask = maskFor({ headers: {}, confidential: [TOKEN, 'prod', `Basic ${Buffer.from('me:pass word').toString('base64')}`] });

  it.each([
    ['as written', TOKEN],
    ['without its scheme', 'tok_en/4711+"x"'],
    ['in capitals', TOKEN.toUpperCase()],
    ...Object.entries(ESCAPES).map(([how, escape]) => [`in ${how}`, escape(TOKEN)]),
  ])('has them masked %s', (_how, told) => expect(mask(`got [${told}]`, false)).toBe('got [********]'));

  it.each([
    ['Gson', 'tok\\u003den\\u0026\\u003c4711+\\"'],
    ['Go', 'tok=en\\u0026\\u003c4711+\\"'],
    ['.NET', 'tok=en\\u0026\\u003C4711\\u002B\\u0022'],
  ])('has them masked in JSON as %s writes what HTML reads as its own', (_library, told) => {
    expect(maskFor({ headers: {}, confidential: ['tok=en&<4711+"'] })(`got [${told}]`, false)).toBe('got [********]');
  });

  it.each([
    ['what looks like an escape', 'a%2Fb&amp;c\\n"d'],
    ['a backslash at the end', 'tok_en/4711\\'],
    ['a letter behind a backslash', 'nine/eleven'],
  ])('has one with %s masked', (_what, secret) => {
    const masked = maskFor({ headers: {}, confidential: [secret] });
    for (const told of [secret, `\\${secret}`, inJson(secret), inJson(secret).replaceAll('/', '\\/'), encodeURIComponent(secret)])
      expect(masked(`(${told})`, false)).toMatch(/^\(\\*\*{8}(\\|%5C)*\)$/);
  });

  it('has one masked that it trimmed', () => {
    const padded = maskFor({ headers: {}, confidential: ['  Bearer tok_en/4711 ', ' prod'] });
    expect(padded('got Bearer tok_en/4711, tok_en/4711, prod', false)).toBe('got ********, ********, ********');
  });

  it.each([
    ['Token token="tok_en/4711", id="me"', 'tok_en/4711'],
    ['ApiKey me:tok_en/4711', 'tok_en/4711'],
    ['a=1; session=tok_en/4711==; b', 'tok_en/4711'],
  ])('has what is named or listed in %s masked alone', (secret, told) => {
    expect(maskFor({ headers: {}, confidential: [secret] })(`unknown: ${told}`, false)).toBe('unknown: ********');
  });

  it('has a password with letters beyond ASCII masked, however they are escaped', () => {
    const secret = maskFor({ headers: {}, confidential: [`Basic ${Buffer.from('me:grün-🎉-pass').toString('base64')}`] });
    const told = ['grün-🎉-pass', 'gr\\u00FCn-\\ud83c\\udf89-pass', encodeURIComponent('grün-🎉-pass')];
    for (const each of told) expect(secret(`no ${each}`, false)).toBe('no ********');
  });

  it.each(['', '{', '{"'])('has them masked in a text in base64, behind %j', (before) => {
    const told = Buffer.from(`${before}${TOKEN}, and more`).toString('base64');
    const shown = [told, told.replaceAll('+', '-').replaceAll('/', '_')].map((each) => mask(`got ${each}`, false));
    for (const each of shown) {
      const [begun = '', ended = ''] = each.replace('got ', '').split('********');
      const left = [begun, ended].map((text) => Buffer.from(text, 'base64').toString());
      expect(left.join('')).not.toMatch(/tok_en|4711/);
      expect(ended.length).toBeLessThan(24);
    }
  });

  it('has the password behind Basic masked, encoded or not', () => {
    expect(mask(`no ${Buffer.from('me:pass word').toString('base64')} for me:pass word, pass word`, false)).toBe(
      'no ******** for ********, ********',
    );
  });

  it('has short ones masked where they stand alone, so that the rest can be read', () => {
    expect(maskFor({ headers: {}, confidential: ['ab'] })('ab', true)).toBe('********');
    expect(mask('{"x-env":"prod"} in production', false)).toBe('{"x-env":"********"} in production');
    expect(mask('{"sent":"x-env: prod\\r\\nx-id: 7\\nprod"}', false)).toBe('{"sent":"x-env: ********\\r\\nx-id: 7\\n********"}');
    const syntax = maskFor({ headers: {}, confidential: ['a-b', '/.*'] });
    expect(syntax('a-b, /.*, a-bc', false)).toBe('********, ********, a-bc');
  });

  it('has the beginning of one masked where its answer is cut off', () => {
    expect(mask('got Bearer tok_en/47', true)).toBe('got ********');
    expect(mask('got Bearer tok_en/47', false)).toBe('got Bearer tok_en/47');
    for (const escape of Object.values(ESCAPES)) expect(mask(`got ${escape('Bearer tok_en/47')}`, true)).toBe('got ********');
  });
});
