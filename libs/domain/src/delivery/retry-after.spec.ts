import { retryAfterMs } from './retry-after.js';

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0);
const at = (ms: number) => new Date(ms).toUTCString();
const asking = (retryAfter: string, others = {}, status = 503) =>
  retryAfterMs({ status, headers: { 'retry-after': retryAfter, ...others } }, NOW);

describe("a receiver's Retry-After", () => {
  it.each([429, 503])('counts in an answer of %i', (status) => expect(asking('120', {}, status)).toBe(120_000));

  it.each([408, 500, 502, 301, 200])('does not count in an answer of %i', (status) =>
    expect(asking('120', {}, status)).toBeNull(),
  );

  it('is a date by the clock of the answer that bears it', () => {
    expect(asking(at(NOW + 90_000), { date: at(NOW + 60_000) })).toBe(30_000);
  });

  it.each([{}, { date: 'soon' }])('is a date by our clock where the answer has no other: %j', (others) => {
    expect(asking(at(NOW + 90_000), others)).toBe(90_000);
  });

  it('may be past', () => expect(asking(at(NOW - 5_000))).toBe(-5_000));

  it.each(['', '-1', '1.5', '1e3', 'soon', '5, 10', '0x10', '2026-11-29T12:00:00Z'])(
    'is ignored where nobody can read it: "%s"',
    (text) => expect(asking(text)).toBeNull(),
  );

  it('is not there where there was no answer', () => expect(retryAfterMs({ status: null, headers: null }, NOW)).toBeNull());
});
