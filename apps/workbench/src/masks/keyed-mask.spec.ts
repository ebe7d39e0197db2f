import { FakeIds } from '@testing/fake-ids';
import { keyedMask } from './keyed-mask.js';

const ids = new FakeIds();
const maskOfARun = () => keyedMask(ids.bytes(32));

describe('a mask', () => {
  it('is equal for equal values of one run, and for those alone', () => {
    const mask = maskOfARun();
    const masks = ['+4915112345678', '+4915112345679', '', '{}', 'Zoë', 'masked'].map(mask);
    expect(new Set(masks).size).toBe(masks.length);
    expect(['+4915112345678', '+4915112345679', '', '{}', 'Zoë', 'masked'].map(mask)).toEqual(masks);
    for (const masked of masks) expect(masked).toMatch(/^masked_[0-9a-f]{32}$/);
  });

  it('tells nothing to whoever has a mask of another run', () => {
    expect(maskOfARun()('+4915112345678')).not.toBe(maskOfARun()('+4915112345678'));
  });
});
