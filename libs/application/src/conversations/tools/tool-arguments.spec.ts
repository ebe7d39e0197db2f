import { ToolArguments } from './tool-arguments.js';

describe('the arguments of a tool', () => {
  const minutes = (value: unknown) => new ToolArguments({ minutes: value }).wholeNumber('minutes', 30, 1_440);

  it.each([
    [undefined, 30],
    [null, 30],
    [1, 1],
    [1_440, 1_440],
  ])('may be the whole number %p, which counts as %d', (value, expected) => expect(minutes(value)).toBe(expected));

  it.each([0, -1, 1_441, 1.5, '30', true, Number.NaN])('are no whole number in bounds with %p', (value) => {
    expect(() => minutes(value)).toThrow('minutes must be a whole number from 1 to 1440.');
  });

  it('say yes with true, no with false or nothing, and what with anything else', () => {
    const flag = (confirm: unknown) => new ToolArguments({ confirm }).flag('confirm');
    expect([true, false, null, undefined].map(flag)).toEqual([true, false, false, false]);
    for (const said of ['true', 'false', '', 1, 0, {}]) expect(() => flag(said)).toThrow('confirm must be true or false.');
  });

  it('may leave a text out in three ways', () => {
    for (const reason of [undefined, null, '']) expect(new ToolArguments({ reason }).optionalText('reason')).toBeNull();
  });
});
