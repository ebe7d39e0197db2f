import { expectedVersion } from './if-match.js';

it.each([
  ['no version', undefined, null, null],
  ["the header's version", '"v7"', null, 7],
  ["the body's version", undefined, 7, 7],
  ["the body's version beside any", '*', 7, 7],
  ['the version of both', '"v7"', 7, 7],
  ['no version that there can be when they differ', '"v1"', 2, 0],
])('a change expects %s', (_, header, stated, expected) => {
  expect(expectedVersion(header === undefined ? {} : { 'if-match': header }, stated)).toBe(expected);
});
