import { keptAnswer } from './kept-answer.js';
import type { RawAnswer } from './exchange.js';
import { responseText } from './response-text.js';

const MOST = [16 * 1024, 2 * 1024];
const raw = (fields: RawAnswer['fields'], body = ''): RawAnswer => ({
  ...{ kind: 'answered', status: 500, fields, headersTruncated: false, body: Buffer.from(body), isComplete: true },
});
const kept = (fields: RawAnswer['fields'], body?: string) => keptAnswer(raw(fields, body), (text) => text);
const textOf = async (bytes: Buffer, type: string | undefined, isWhole: boolean) =>
  (await responseText({ bytes, isWhole }, (name) => (name === 'content-type' ? type : undefined))).text;

describe('what is kept of an answer', () => {
  it('is each header once', async () => {
    const fields = [
      ['set-cookie', 'a=1'],
      ['empty', ''],
      ['set-cookie', 'b=2'],
    ] as const;
    expect(await kept(fields)).toMatchObject({ headers: { 'set-cookie': 'a=1, b=2', empty: '' }, headersTruncated: false });
  });

  it('is a piece of a long header, and a short piece of where a redirection leads', async () => {
    const { headers, headersTruncated } = await kept([
      ['x-long', 'v'.repeat(5_000)],
      ['location', `https://a.example/${'x'.repeat(500)}`],
    ]);
    expect([headers['x-long']?.length, headers['location']?.length, headersTruncated]).toEqual([1_024, 200, true]);
  });

  it('is 16 KiB of letters, whole ones', async () => {
    expect(await kept([], 'ü'.repeat(8 * 1024))).toMatchObject({ body: 'ü'.repeat(8 * 1024), bodyTruncated: false });
    expect(await kept([], `a${'ü'.repeat(8 * 1024)}`)).toMatchObject({
      body: `a${'ü'.repeat(8 * 1024 - 1)}`,
      bodyTruncated: true,
    });
  });

  it.each(['\u0000', '"', '\n', 'ü', '中', '🎉'])(
    'has at most 16 KiB of body on disk, and 2 KiB of headers: %j',
    async (letter) => {
      const fields = [...'abcd'].map((name) => [name, letter.repeat(1_000)] as const);
      const { body, bodyTruncated, headers } = await kept(fields, letter.repeat(20_000));
      const sizes = [body, Object.entries(headers).flat().join('')].map((each) => Buffer.byteLength(JSON.stringify(each)) - 2);
      expect(sizes.map((size, index) => size <= (MOST[index] ?? 0) && size > (MOST[index] ?? 0) - 12)).toEqual([true, true]);
      expect(bodyTruncated).toBe(true);
    },
  );

  it('is no half letter at the end of a cut text, and no text where no letters are', async () => {
    const cut = Buffer.from('grü').subarray(0, 3);
    expect(await textOf(cut, undefined, false)).toBe('gr');
    expect(await textOf(cut, 'application/octet-stream', true)).toBeNull();
    expect(await textOf(Buffer.of(0x67, 0xff, 0), 'text/plain', true)).toBeNull();
  });
});
