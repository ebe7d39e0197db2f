import type { Readable } from 'node:stream';
import { InterimAnswers } from './interim-answers.js';

const HINTS = `HTTP/1.1 103 Early Hints\r\nLink: </${'a'.repeat(4_000)}>\r\n\r\n`;
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** A kept connection over which one answer comes after the other, in these pieces. */
function connection() {
  let pieces: Buffer[] = [];
  const source = { dropped: false, read: (): Buffer | null => pieces.shift() ?? null, destroy: () => (source.dropped = true) };
  const answers = new InterimAnswers(source as unknown as Readable);
  const answer = (...said: readonly (string | Buffer)[]) => {
    pieces = said.map((each) => Buffer.from(each));
    answers.expectAnswer();
    let text = '';
    while (pieces.length > 0 && !source.dropped) text += source.read()?.toString() ?? '';
    return source.dropped ? 'dropped' : text;
  };
  return answer;
}

it('an answer may be long on each of many occasions of one connection', () => {
  const answer = connection();
  const long = `HTTP/1.1 200 OK\r\nContent-Length: 30000\r\n\r\n${'x'.repeat(30_000)}`;
  for (let n = 0; n < 10; n++) expect(answer(long)).toBe(long);
});

it('an answer may come in many pieces on each of many occasions of one connection', () => {
  const answer = connection();
  for (let n = 0; n < 10; n++) expect(answer(FINAL, ...Array<string>(1_000).fill('x'))).toHaveLength(FINAL.length + 1_000);
});

it('interim answers may come on each of many occasions of one connection', () => {
  const answer = connection();
  for (let n = 0; n < 10; n++) expect(answer(HINTS + HINTS + FINAL)).toBe(FINAL);
});

it('an answer has 64 KiB, and what came with the last of them', () => {
  const piece = Buffer.alloc(16 * 1024, 'x');
  expect(connection()(FINAL, ...Array<Buffer>(4).fill(piece))).toHaveLength(FINAL.length + 64 * 1024);
  expect(connection()(FINAL, ...Array<Buffer>(5).fill(piece))).toBe('dropped');
});

it('interim answers have 16 KiB in all, however they come', () => {
  expect(connection()(HINTS.repeat(3) + FINAL)).toBe(FINAL);
  expect(connection()(HINTS.repeat(5) + FINAL)).toBe('dropped');
  expect(connection()(...Array<string>(5).fill(HINTS), FINAL)).toBe('dropped');
});
