import { cutShort } from './cut-short.js';

describe('work that is cut short', () => {
  it('comes to what it would come to, where it is over in time', () => {
    expect(cutShort(60_000, () => ['done'])).toEqual(['done']);
  });

  it('ends though it would never', () => {
    const forever = () => {
      for (;;);
    };
    expect(cutShort(1, forever)).toBeUndefined();
  });

  it('fails as it would fail', () => {
    const failing = () => {
      throw new RangeError('too deep');
    };
    expect(() => cutShort(60_000, failing)).toThrow(new RangeError('too deep'));
  });
});
