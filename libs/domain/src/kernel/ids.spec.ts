import { encodeUlid, isId, timeOfId } from './ids.js';

describe('a public id', () => {
  const id = `msg_${encodeUlid(1_700_000_000_123, new Uint8Array([255, 0, 1, 2, 3, 4, 5, 6, 7, 8]))}`;

  it('is its prefix and 26 letters of Crockford base 32', () => {
    expect(id).toMatch(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(isId('message', id)).toBe(true);
  });

  it('names the millisecond it was made in', () => expect(timeOfId(id)).toBe(1_700_000_000_123));

  it('is of one kind only', () => {
    expect(isId('conversation', id)).toBe(false);
    expect(isId('message', 'msg_short')).toBe(false);
    expect(isId('message', null)).toBe(false);
  });

  it('sorts by time as text', () => {
    const chance = new Uint8Array(10).fill(255);
    expect(encodeUlid(1_000, chance) < encodeUlid(1_001, new Uint8Array(10))).toBe(true);
  });
});
