import { parseTraceparent, sampledTraceparent, toTraceparent } from './traceparent.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('a traceparent', () => {
  it.each([
    ['01', true],
    ['00', false],
    ['03', true],
    ['02', false],
  ])('tells by its flags %s whether its span is kept: %s', (flags, isSampled) => {
    const text = `00-${TRACE}-${SPAN}-${flags}`;
    expect(parseTraceparent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled });
    expect(sampledTraceparent(text)).toBe(isSampled ? text : undefined);
  });

  it('is written as it is read', () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    expect(toTraceparent({ traceId: TRACE, spanId: SPAN, isSampled: true })).toBe(text);
    expect(toTraceparent({ traceId: TRACE, spanId: SPAN, isSampled: false })).toBe(`00-${TRACE}-${SPAN}-00`);
  });

  it('of a version to come is read as far as it is known', () =>
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true }));

  it.each([
    undefined,
    '',
    [`00-${TRACE}-${SPAN}-01`],
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}-1`,
    ` 00-${TRACE}-${SPAN}-01`,
  ])('is none: %j', (text) => expect(parseTraceparent(text)).toBeNull());
});
