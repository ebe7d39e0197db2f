import { boundedHeaders, responseText } from './response-text.js';

describe('what is kept of an answer', () => {
  it('is a bounded number of bounded headers', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`X-${index}`, 'v'.repeat(5000)]));
    const kept = boundedHeaders(many);
    expect(Object.keys(kept)).toHaveLength(64);
    expect(kept['x-0']).toHaveLength(1024);
  });

  it('is each header once, under its lower-case name', () => {
    expect(boundedHeaders({ 'Set-Cookie': ['a=1', 'b=2'], Empty: '', Gone: undefined })).toEqual({
      'set-cookie': 'a=1, b=2',
      empty: '',
    });
  });

  it('is a short piece of where a redirection leads', () => {
    expect(boundedHeaders({ Location: `https://a.example/${'x'.repeat(500)}` })['location']).toHaveLength(200);
  });

  it('is text in the letters it was written in', () => {
    expect(
      responseText(Buffer.from('gr\u00fc\u00df', 'latin1'), { 'content-type': 'text/plain; charset=ISO-8859-1' }, true),
    ).toBe('gr\u00fc\u00df');
    expect(responseText(Buffer.from('grüß'), { 'content-type': 'text/plain; charset=nonsense' }, true)).toBe('grüß');
    expect(responseText(Buffer.from('grüß'), {}, true)).toBe('grüß');
  });

  it('is no half letter at the end of a cut text, and no text where a whole one is broken', () => {
    const cut = Buffer.from('grü').subarray(0, 3);
    expect(responseText(cut, {}, false)).toBe('gr');
    expect(responseText(cut, {}, true)).toBeNull();
    expect(responseText(cut, { 'content-type': 'text/plain; charset=nonsense' }, true)).toBeNull();
  });
});
