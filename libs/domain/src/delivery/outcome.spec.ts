import { responseClassOf } from './outcome.js';

describe('the class of an answer', () => {
  it.each([
    [200, '2xx'],
    [299, '2xx'],
    [302, '3xx'],
    [404, '4xx'],
    [503, '5xx'],
    [100, 'none'],
    [600, 'none'],
    [null, 'none'],
  ])('with the status %s is %s', (status, expected) => expect(responseClassOf(status)).toBe(expected));
});
