import * as fc from 'fast-check';
import { ANSWER_HEADERS } from '../docs/answer-headers.js';
import { RequestWarnings } from './request-warnings.js';

function linesOf(...texts: readonly string[]): string[] {
  const warnings = new RequestWarnings();
  for (const text of texts) warnings.add(() => text);
  return warnings.lines;
}

describe('the warnings of a request', () => {
  it('are a line each', () => expect(linesOf('one thing', 'another')).toEqual(['one thing', 'another']));

  it('cannot end their header or begin another', () =>
    expect(linesOf('a\r\nset-cookie: b', 'für\u0000\u007f')).toEqual(['a??set-cookie: b', 'f?r??']));

  it('are all counted and few told, and only those cost their text', () => {
    const warnings = new RequestWarnings();
    let made = 0;
    for (let index = 0; index < 1_000; index++) warnings.add(() => `warning ${(made += 1)}`);
    expect([warnings.count, warnings.lines.length, warnings.lines.at(-1), made]).toEqual([1_000, 9, 'and 992 more', 8]);
  });

  it('are as many, and as long, as the API document says', () => {
    const lines = linesOf(...Array.from({ length: 20 }, () => 'x'.repeat(500)));
    const { description, schema } = ANSWER_HEADERS['Service-Warning'];
    expect(description).toContain(`at most ${lines[0]?.length} characters`);
    expect(description).toContain(`After ${lines.length - 1} lines`);
    expect(lines.join(', ').length).toBeLessThanOrEqual(schema.maxLength);
  });

  it('are never long, and always printable ASCII, whatever they say', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (text) => {
        const [line = ''] = linesOf(text);
        expect(line.length).toBeLessThanOrEqual(300);
        expect(line).toMatch(/^[ -~]*$/);
      }),
    ));
});
