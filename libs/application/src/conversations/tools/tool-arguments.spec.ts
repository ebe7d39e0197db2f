import { ToolArguments } from './tool-arguments.js';

describe('the arguments of a tool', () => {
  const minutes = (value: unknown) => new ToolArguments({ minutes: value }).wholeNumber('minutes', 30, 1_440);

  it.each([
    [undefined, 30],
    [null, 30],
    [1, 1],
    [1_440, 1_440],
    ['45', 45],
    [' 45.0 ', 45],
    ['', 30],
  ])('may be the whole number %p, which counts as %d', (value, expected) => expect(minutes(value)).toBe(expected));

  it.each([0, -1, 1_441, 1.5, '30 minutes', '1.5', '-1', '1441', '0x10', true, Number.NaN])(
    'are no whole number in bounds with %p',
    (value) => {
      expect(() => minutes(value)).toThrow('minutes must be a whole number from 1 to 1440.');
    },
  );

  it('say yes with true, no with false or nothing, and what with anything else', () => {
    const flag = (confirm: unknown) => new ToolArguments({ confirm }).flag('confirm');
    expect([true, 'true', ' True', 'yes', 1, '1'].map(flag)).toEqual(Array(6).fill(true));
    expect([false, 'false', 'FALSE ', 'no', 0, '0', '', null, undefined].map(flag)).toEqual(Array(9).fill(false));
    for (const said of ['maybe', 2, {}, [true]]) expect(() => flag(said)).toThrow('confirm must be true or false.');
  });

  it('may leave a text out in three ways', () => {
    for (const reason of [undefined, null, '']) expect(new ToolArguments({ reason }).optionalText('reason')).toBeNull();
  });
});

describe('the time in the arguments of a tool', () => {
  const at = (time: unknown, zone = 'Europe/Berlin') => new Date(new ToolArguments({ time }, zone).instant('time')).toISOString();

  it.each([
    '2027-03-02T09:00:00+01:00',
    '2027-03-02T09:00:00+0100',
    '2027-03-02T09:00:00+01',
    '2027-03-02T09:00+01:00',
    '2027-03-02T08:00Z',
    '2027-03-02t08:00:00z',
    '2027-03-02 08:00:00 Z',
    '2027-03-02T09:00:00.000000+01:00',
    '2027-03-02T09:00:00+01:00[Europe/Berlin]',
    '2027-03-02T09:00:00',
    '2027-03-02T09:00',
    '2027-03-02 9:00',
    ' 2027-03-02T09:00:00.5 ',
  ])('may be written %s, local where it has no offset', (time) => expect(at(time)).toBe('2027-03-02T08:00:00.000Z'));

  it('is local in the zone of the conversation', () => {
    expect([at('2027-07-02T09:00'), at('2027-07-02T09:00', 'America/New_York'), at('2027-07-02T09:00', 'UTC')]).toEqual([
      '2027-07-02T07:00:00.000Z',
      '2027-07-02T13:00:00.000Z',
      '2027-07-02T09:00:00.000Z',
    ]);
  });

  it.each(['tomorrow at 9', '2027-03-02', '9:00', '2027-02-30T09:00', '2027-03-02T25:00', '2027-03-02T09:00+99:00', 'x'])(
    'is refused with an example in that zone: %s',
    (time) =>
      expect(() => at(time)).toThrow(
        'time must be a time such as 2026-03-01T09:00:00, which is read in Europe/Berlin unless it has an offset.',
      ),
  );

  it.each([
    ['2027-07-02T10:00:00+01:00', 'Europe/Berlin', '+02:00'],
    ['2027-07-02T10:00+0100', 'Europe/Berlin', '+02:00'],
    ['2027-03-02T10:00:00+02:00', 'Europe/Berlin', '+01:00'],
    ['2027-03-02T10:00:00+00:00', 'Europe/Berlin', '+01:00'],
    ['2027-07-02T10:00:00-05:00', 'America/New_York', '-04:00'],
    ['2027-07-02T10:00:00+05:00', 'Asia/Kolkata', '+05:30'],
    ['2027-07-02T10:00:00+01:00', 'UTC', '+00:00'],
  ])("is refused with the zone's offset where it has another: %s in %s", (time, zone, offset) =>
    expect(() => at(time, zone)).toThrow(`, but ${zone} has ${offset} then: write 2027-`),
  );

  it('is refused where clocks are put forward over it', () => {
    expect(() => at('2027-03-28T02:30:00')).toThrow(/^time does not exist in Europe\/Berlin: the clocks are put forward over/);
    expect(at('2027-03-28T02:30:00Z')).toBe('2027-03-28T02:30:00.000Z');
  });

  it('is refused with both instants where clocks are put back over it', () => {
    expect(() => at('2027-10-31T02:30')).toThrow(/2027-10-31T02:30:00\+02:00 or 2027-10-31T02:30:00\+01:00\.$/);
    expect(at('2027-10-31T02:30:00+01:00')).toBe('2027-10-31T01:30:00.000Z');
    expect(at('2027-10-31T02:30:00+02:00')).toBe('2027-10-31T00:30:00.000Z');
  });
});
