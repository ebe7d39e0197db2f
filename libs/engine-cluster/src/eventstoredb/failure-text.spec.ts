import { NoAnswer } from './failure-meaning.js';
import { PositionUnusable } from './position.js';
import { failureText } from './failure-text.js';

const ofGrpc = (code: number, message: string) => Object.assign(new Error(message), { code });

describe('what an operator is told of EventStoreDB', () => {
  it.each([
    ['a server that is gone', ofGrpc(14, '14 UNAVAILABLE: No connection established'), 'does not answer: UNAVAILABLE'],
    ['a server that is silent', new NoAnswer(), 'does not answer: NoAnswer'],
    ['nodes without a leader', new Error('Failed to discover after 10 attempts.'), 'has no leader'],
    ['an event without a place', new PositionUnusable('no place'), 'has an event that no feed can pass: no place'],
    [
      'a wrong password',
      ofGrpc(16, '16 UNAUTHENTICATED: Authentication Failed'),
      'refuses the user writer: wrong name or password',
    ],
    ['a missing right', ofGrpc(7, '7 PERMISSION_DENIED: Access Denied'), 'refuses: the user writer may not read $all'],
    ['a call that it does not know', ofGrpc(12, '12 UNIMPLEMENTED: Method not found'), 'refuses: UNIMPLEMENTED'],
  ])('names %s in our words', (_, failure, words) => expect(failureText(failure, 'writer', 'read $all')).toBe(words));

  it('has the words of the driver at a start, which ends by them', () => {
    const failure = ofGrpc(14, '14 UNAVAILABLE: self-signed certificate');
    expect(failureText(failure, 'writer', 'read $all', failure.message)).toBe(`does not answer: ${failure.message}`);
  });
});
