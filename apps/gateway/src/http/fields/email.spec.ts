import * as fc from 'fast-check';
import { EMAIL_PATTERN, keptEmail } from './email.js';

describe('an e-mail address', () => {
  it.each([
    ['a@b.co', 'a@b.co'],
    ['Ada@Example.COM', 'ada@example.com'],
    ["o'neil+tag@mail.example.org", "o'neil+tag@mail.example.org"],
    ['user@münchen.de', 'user@xn--mnchen-3ya.de'],
    ['user@MÜNCHEN.DE', 'user@xn--mnchen-3ya.de'],
    ['user@XN--MNCHEN-3YA.de', 'user@xn--mnchen-3ya.de'],
    ['user@mu\u0308nchen.de', 'user@xn--mnchen-3ya.de'],
    ['user@straße.de', 'user@xn--strae-oqa.de'],
    ['müller@example.de', 'müller@example.de'],
    ['MÜLLER@example.de', 'müller@example.de'],
    ['mu\u0308ller@example.de', 'müller@example.de'],
    ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
    ['δοκιμή@παράδειγμα.δοκιμή', 'δοκιμή@xn--hxajbheg2az3al.xn--jxalpdlp'],
    ['пользователь@пример.рф', 'пользователь@xn--e1afmkfd.xn--p1ai'],
    ['उपयोगकर्ता@उदाहरण.कॉम', 'उपयोगकर्ता@xn--p1b6ci4b4b3a.xn--11b4c3d'],
    ['user@例え。テスト.jp', 'user@xn--r8jz45g.xn--zckzah.jp'],
    ['𞤀@example.com', '𞤢@example.com'],
  ])('%s is kept as %s', (said, kept) => expect(keptEmail(said)).toBe(kept));

  it.each([
    '',
    'a',
    '@',
    'a@',
    '@b.co',
    'a@b',
    'a@b.',
    'a@.co',
    'a@-b.co',
    'a@b-.co',
    'a@b.1',
    'a@b..co',
    'a b@c.co',
    'a@b c.co',
    'a@b@c.co',
    '"a"@b.co',
    'a(b)@c.co',
    'a,b@c.co',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    'a@１２７.０.０.１',
    'a@xn--.münchen',
    'a\u00a0b@c.co',
    'a\u3000b@c.co',
    'a@b\u2028.co',
    'a@ex%61mple.co',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(64)}.co`,
    `a@${'ü'.repeat(60)}.de`,
    `a@${'b.'.repeat(130)}co`,
    'a@\u0378.de',
    'a@.münchen.de',
  ])('%j is none', (text) => expect(keptEmail(text)).toBeNull());

  it.each(
    [
      0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, 0xad, 0x34f, 0x61c, 0x180e, 0x180b, 0x115f, 0x1160, 0x3164, 0xffa0, 0x2800, 0xfe0f,
      0x200e, 0x200f, 0x202a, 0x202e, 0x2066, 0x2069, 0x2061, 0x206f, 0x17b4, 0xfff9, 0x600, 0x70f, 0x8e2, 0x1bca0, 0x1d173,
      0x1d17a, 0xe0001, 0xe0020, 0xe007f, 0xe0100, 0xe01ef, 0x110bd, 0x13430,
    ].map((code) => [code.toString(16)]),
  )('that holds U+%s, which nobody sees, is none', (hex) => {
    const unseen = String.fromCodePoint(Number.parseInt(hex, 16));
    const addresses = [`${unseen}user@example.com`, `us${unseen}er@example.com`, `user${unseen}@example.com`];
    const hosts = [
      `user@${unseen}example.com`,
      `user@exam${unseen}ple.com`,
      `user@example.com${unseen}`,
      `user@münch${unseen}en.de`,
    ];
    for (const text of [...addresses, ...hosts]) expect([text, keptEmail(text)]).toEqual([text, null]);
  });

  it.each(['a\ud800@b.co', 'a\udc00@b.co', 'a@b\ud800.co'])('%j, with half of a character, is none', (text) =>
    expect(keptEmail(text)).toBeNull(),
  );

  it('is longer in ASCII than it was said, and bounded there', () => {
    const host = `${'üü.'.repeat(24)}de`;
    expect([keptEmail(`${'a'.repeat(6)}@${host}`)?.length, keptEmail(`${'a'.repeat(64)}@${host.repeat(3)}`)]).toEqual([
      6 + 1 + 24 * 'xn--tdaa.'.length + 2,
      null,
    ]);
  });

  it('in its kept form is kept as it is, and has the documented form', () =>
    fc.assert(
      fc.property(fc.stringMatching(new RegExp(EMAIL_PATTERN)), (text) => {
        const kept = keptEmail(text);
        if (kept !== null) expect([keptEmail(kept), new RegExp(EMAIL_PATTERN).test(kept)]).toEqual([kept, true]);
      }),
      { numRuns: 500 },
    ));
});
