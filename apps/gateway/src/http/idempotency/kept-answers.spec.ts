import { NodeSecrets } from '@adapters/secrets.node-crypto';
import { KeptAnswers } from './kept-answers.js';

const answers = new KeptAnswers(new NodeSecrets(new Uint8Array(32).fill(1)));
const told = { status: 201, headers: { 'content-type': 'application/json' }, body: '{"secret":"whsec_told_once"}' };
const claim = { fingerprint: 'f', startedAt: 1, leasedAt: 1, leaseUntil: 2, requestId: 'req_1' };

describe('an answer that is kept', () => {
  it.each([true, false])('comes back as it was, sealed or not: %s', (sealed) => {
    expect(answers.answerIn({ ...claim, answer: answers.keep(told, 'key', sealed) }, 'key')).toEqual(told);
  });

  it('sealed shows nothing of its body', () => {
    expect(JSON.stringify(answers.keep(told, 'key', true))).not.toContain('whsec');
  });

  it('sealed is not read under another key', () => {
    const answer = answers.keep(told, 'key', true);
    expect(() => answers.answerIn({ ...claim, answer }, 'other')).toThrow();
  });

  it('is none while there is none', () => {
    expect(answers.answerIn(claim, 'key')).toBeNull();
  });
});
