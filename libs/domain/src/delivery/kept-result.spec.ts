import { result } from '@testing/delivery-events';
import { keptResult } from './kept-result.js';

const body = 'x'.repeat(16 * 1024);
const keptOf = (attempt: number, maxAttempts: number) => {
  const { body: kept, bodyTruncated } = keptResult({ ...result(attempt, 503), body }, maxAttempts);
  return [kept?.length, bodyTruncated];
};

describe('what an attempt keeps of a long body', () => {
  it.each([1, 7, 8, 9, 10])('is all of it at attempt %d of nine', (attempt) =>
    expect(keptOf(attempt, 9)).toEqual([16_384, false]),
  );
  it.each([2, 3, 4, 5, 6])('is 1 KiB at attempt %d of nine', (attempt) => expect(keptOf(attempt, 9)).toEqual([1_024, true]));
  it.each([1, 2, 3])('is all of it at attempt %d of three', (attempt) => expect(keptOf(attempt, 3)).toEqual([16_384, false]));

  it.each(['\u0000', '"', '\ud83c'])('has hardly more than 1 KiB on disk, whatever it is: %j', (letter) => {
    const { body: kept } = keptResult({ ...result(2, 503), body: letter.repeat(1_024) }, 9);
    const size = Buffer.byteLength(JSON.stringify(kept)) - '""'.length;
    expect([size <= 1_088, size > 1_088 - 6]).toEqual([true, true]);
  });

  it('is a short one whole, whichever attempt it is', () => {
    const short = { ...result(5, 503), body: 'busy' };
    expect(keptResult(short, 9)).toBe(short);
    expect(keptResult(result(5, 503), 9)).toEqual(result(5, 503));
  });
});
