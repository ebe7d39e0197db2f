import fc from 'fast-check';
import { membersOf, memberText, tokensOf } from './raw-members.js';

const spaced = (json: string) =>
  fc
    .constantFrom('', ' ', '\n\t', '\r\n')
    .map((space) => json.replace(/[{}[\],:](?=(?:[^"]*"[^"]*")*[^"]*$)/g, `${space}$&${space}`));

describe('members of JSON text', () => {
  it('are found whatever they hold', () =>
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const found = [...membersOf(JSON.stringify(object))];
        expect(found.map(({ name, text }) => [name, text])).toEqual(
          Object.entries(object).map(([name, value]) => [name, JSON.stringify(value)]),
        );
      }),
    ));

  it('are found whatever space is around them', () =>
    fc.assert(
      fc.property(
        fc
          .dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.array(fc.integer()))
          .chain((object) => spaced(JSON.stringify(object)).map((json) => ({ object, json }))),
        ({ object, json }) => {
          const found = [...membersOf(json)].map(({ name, text }) => [name, JSON.parse(text)]);
          expect(found).toEqual(Object.entries(object));
        },
      ),
    ));

  it('are told by their names, however those are escaped, and the last of several counts', () => {
    expect(memberText('{"metadata":{"a":1},"\\u006detadata": {"b":"}\\""} , "x":[1,2]}', 'metadata')).toBe('{"b":"}\\""}');
    expect(memberText('{"other":{"metadata":1}}', 'metadata')).toBeNull();
  });

  it('keep backslashes before quotes apart', () => {
    expect([...membersOf('{"a":"\\\\","b":"\\\\\\"","c":1}')].map(({ text }) => text)).toEqual(['"\\\\"', '"\\\\\\""', '1']);
  });
});

it('tokens are found as they were sent, in order', () => {
  expect([...tokensOf(' { "a\\",]": [ 1.0 ,-2e3], "b" :{ },"c":null,"d":"" } ')]).toEqual([
    '{',
    '"a\\",]"',
    '[',
    '1.0',
    '-2e3',
    ']',
    '"b"',
    '{',
    '}',
    '"c"',
    'null',
    '"d"',
    '""',
    '}',
  ]);
});
