import { keptAnswer } from './kept-answer.js';
import type { RawAnswer } from './exchange.js';
import { responseText } from './response-text.js';

const raw = (fields: RawAnswer['fields'], body = ''): RawAnswer => ({
  kind: 'answered',
  status: 500,
  fields,
  headersTruncated: false,
  body: Buffer.from(body),
  isComplete: true,
});
const kept = (fields: RawAnswer['fields'], body?: string) => keptAnswer(raw(fields, body), (text) => text);
const textOf = async (bytes: Buffer, isWhole: boolean) => (await responseText({ bytes, isWhole }, () => undefined)).text;

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

  it.each([
    'The service behind this proxy did not answer "POST /hooks" in time.\n',
    '<p>The service behind this proxy did not answer <b>in time</b>.</p>\n',
  ])('is 16 KiB of usual text: %j', async (line) => {
    const text = line.repeat(2_000).slice(0, 16 * 1024);
    expect(await kept([], text)).toMatchObject({ body: text, bodyTruncated: false });
  });

  it.each([
    ['\u0000', 17],
    ['"', 17],
    ['\n', 17],
    ['ü', 16],
    ['中', 16],
    ['🎉', 16],
  ])('of the letter %j alone has %d KiB of body and 2 KiB of headers on disk', async (letter, mostKib) => {
    const fields = [...'abcd'].map((name) => [name, letter.repeat(1_000)] as const);
    const { body, bodyTruncated, headers } = await kept(fields, letter.repeat(20_000));
    const onDisk = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;
    const left = [mostKib * 1024 - onDisk(body ?? ''), 2 * 1024 - onDisk(Object.entries(headers).flat().join(''))];
    expect(left.map((bytes) => bytes >= 0 && bytes < 12)).toEqual([true, true]);
    expect(bodyTruncated).toBe(true);
  });

  it('is no half letter at the end of a cut text', async () => {
    expect(await textOf(Buffer.from('grü').subarray(0, 3), false)).toBe('gr');
  });
});
