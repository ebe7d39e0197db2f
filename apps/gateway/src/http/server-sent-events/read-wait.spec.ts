import { readWait } from './read-wait.js';

describe('the seconds to wait', () => {
  it.each([
    [undefined, 0],
    ['0', 0],
    ['30', 30_000],
    ['60', 60_000],
    ['61', 60_000],
    ['9'.repeat(400), 60_000],
    ['-5', 0],
  ])('of %s are %d ms', (wait, ms) => expect(readWait({ wait })).toBe(ms));

  it.each(['', 'abc', '1.5', '1e1', ' 1', '9'.repeat(401), ['1'], { gt: '1' }])('are no whole number in %j', (wait) => {
    expect(() => readWait({ wait })).toThrow(expect.objectContaining({ code: 'parameter_invalid', details: { param: 'wait' } }));
  });
});
