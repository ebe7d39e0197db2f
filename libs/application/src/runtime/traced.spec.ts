import { sharedOrigin, tracedBy } from './traced.js';

const kept = (count: number) => `00-${String(count).padStart(32, 'a')}-${String(count).padStart(16, 'b')}-01`;
const left = kept(1).replace(/01$/, '00');

describe('an envelope', () => {
  it('names the span that its command was given in, unless it names another or there is none', () => {
    const envelope = { $correlationId: 'cor_1' };
    expect(tracedBy(kept(1), envelope)).toEqual({ ...envelope, traceparent: kept(1) });
    expect(tracedBy(undefined, envelope)).toBe(envelope);
    expect(tracedBy(kept(1), { ...envelope, traceparent: kept(2) })).toEqual({ ...envelope, traceparent: kept(2) });
  });
});

describe('work that traces share', () => {
  it('belongs to the first that is kept, and has links to the others, each once', () =>
    expect(sharedOrigin([undefined, left, kept(2), kept(3), kept(2), 'none', kept(4)])).toEqual({
      parent: kept(2),
      links: [kept(3), kept(4)],
    }));

  it('is left as the first is where none is kept, and begins a trace where there is none', () => {
    expect(sharedOrigin([undefined, left])).toEqual({ parent: left, links: [] });
    expect(sharedOrigin([undefined])).toEqual({ parent: undefined, links: [] });
  });

  it('has at most 32 links', () =>
    expect(sharedOrigin(Array.from({ length: 100 }, (_, index) => kept(index + 1))).links).toHaveLength(32));
});
