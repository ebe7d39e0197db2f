import { result } from '@testing/delivery-events';
import { MASKED_VALUE } from '../endpoint/custom-headers.js';
import { keptResult } from './kept-result.js';

const body = 'x'.repeat(16 * 1024);
const keptOf = (attempt: number, maxAttempts: number) => {
  const { body: kept, bodyTruncated } = keptResult({ ...result(attempt, 503), body }, maxAttempts);
  return [kept?.length, bodyTruncated];
};

describe("what an attempt keeps of the request's headers", () => {
  const custom = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`.padEnd(100, 'x'), MASKED_VALUE]));
  const headersOf = (requestHeaders: Readonly<Record<string, string>> | null) =>
    keptResult({ ...result(1, 503), requestHeaders }, 9).requestHeaders;

  it('is all of them, where they are not long', () => {
    const headers = { Host: 'a.example', 'X-Env': MASKED_VALUE, 'webhook-signature': 's'.repeat(500) };
    expect(headersOf(headers)).toBe(headers);
    expect(headersOf(null)).toBeNull();
  });
  it('is at most 2 KiB, without the last of those whose values are masked', () => {
    const own = { Host: 'a.example', 'webhook-signature': 's'.repeat(500) };
    const kept = headersOf({ ...custom(20), ...own });
    expect(kept).toEqual({ ...custom(13), ...own });
    expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThan(2_048);
  });
});

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
