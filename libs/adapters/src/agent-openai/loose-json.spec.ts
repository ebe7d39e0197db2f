import { endOfJson, looseJson } from './loose-json.js';

describe('JSON as models write it', () => {
  it.each([
    ['in a fence', '```json\n{"a":1}\n```'],
    ['in a fence without a name', '```\n{"a":1}```'],
    ['before tokens', '{"a":1}<|call|><|end|>'],
    ['before a tag', '{"a":1}\n</tool_call>'],
    ['with commas too many', '{"a":1,\n}'],
    ['with brackets too many', '{"a":1}}'],
    ['in the writing of Python', "{'a': 1}"],
    ['with keys without quotes', '{a: 1}'],
  ])('is read %s', (_, text) => expect(looseJson(text)).toEqual({ a: 1 }));

  it('is read with raw control characters in its texts, and with what looks like its own', () => {
    expect(looseJson('{"a":"one\ntwo\tthree","b":"x,}","c":"\\"\\n"}')).toEqual({ a: 'one\ntwo\tthree', b: 'x,}', c: '"\n' });
    expect(looseJson("{'a': 'say True', 'b': True, 'c': None}")).toEqual({ a: 'say True', b: true, c: null });
  });

  it('is read with texts between the marks of Gemma, whatever is in them', () => {
    expect(looseJson('{a:<escape>one: "two", {three:<escape>,b:[<escape>x<escape>]}')).toEqual({
      a: 'one: "two", {three:',
      b: ['x'],
    });
    expect(looseJson('{a:<|"|>one\ntwo<|"|>,b_2:true}')).toEqual({ a: 'one\ntwo', b_2: true });
  });

  it.each([
    '',
    'a',
    '{"a":',
    '{"a":"',
    '{a:b}',
    '{1:1}',
    '{a:<escape>b}',
    "{'a': 'it's'}",
    '{"a":1} and {"b":2}',
    '{"a":1}{"b":2}',
  ])('is none of %j', (text) => expect(looseJson(text)).toBeUndefined());

  it('is read at once where a model has written much white space', () => {
    expect(looseJson(`{"a":1${'\n'.repeat(1_000_000)}}`)).toEqual({ a: 1 });
  });

  it('ends where its brackets do', () => {
    expect([endOfJson('x{"a":"}"} y', 1), endOfJson('[1', 0), endOfJson('{"a":"\\"}"}', 0)]).toEqual([10, -1, 11]);
  });
});
