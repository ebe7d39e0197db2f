import { readPage, readTimedPage } from './read-page.js';

describe('a page', () => {
  it.each(['starting_after', 'ending_before'])('does not begin at no place at all: %s', (param) => {
    expect(() => readPage({ [param]: '' })).toThrow(expect.objectContaining({ code: 'cursor_invalid', details: { param } }));
  });

  it('begins after one item or before another, not both', () => {
    const both = { starting_after: 'conv_1', ending_before: 'conv_2' };
    const refusal = { code: 'parameter_conflict', details: { param: 'ending_before' } };
    expect(() => readPage(both)).toThrow(expect.objectContaining(refusal));
  });

  it.each([
    [{ gte: 'T00:00:05Z' }, 5_000, null],
    [{ gt: 'T00:00:05Z' }, 5_001, null],
    [{ lte: 'T00:00:05Z' }, null, 5_001],
    [{ lt: 'T00:00:05Z' }, null, 5_000],
    [{ gte: 'T00:00:05Z', gt: 'T00:00:07Z', lt: 'T00:00:09Z', lte: 'T00:00:08Z' }, 7_001, 8_001],
  ])('holds what was created in the span of %j, at both its ends', (bounds, from, before) => {
    const created_at = Object.fromEntries(Object.entries(bounds).map(([name, time]) => [name, `1970-01-01${time}`]));
    const created = { from: from ?? 0, before: before ?? Number.MAX_SAFE_INTEGER };
    expect(readTimedPage({ created_at })).toMatchObject({ created });
  });
});
