import { readPage } from './list-page.js';

describe('a page', () => {
  it.each(['starting_after', 'ending_before'])('does not begin at no place at all: %s', (param) => {
    expect(() => readPage({ [param]: '' })).toThrow(expect.objectContaining({ code: 'cursor_invalid', details: { param } }));
  });

  it('begins after one item or before another, not both', () => {
    const both = { starting_after: 'conv_1', ending_before: 'conv_2' };
    const refusal = { code: 'parameter_conflict', details: { param: 'ending_before' } };
    expect(() => readPage(both)).toThrow(expect.objectContaining(refusal));
  });
});
