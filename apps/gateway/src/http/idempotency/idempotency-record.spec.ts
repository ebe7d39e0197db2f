import fc from 'fast-check';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { answerIn, readRecord, recordText, toKeptAnswer } from './idempotency-record.js';

const instant = fc.integer({ min: 0, max: 8.64e15 });
const text = fc.string({ unit: 'binary' });
const claim = fc.record({ fingerprint: text, startedAt: instant, leasedAt: instant, leaseUntil: instant, requestId: text });
const answer = fc.record({
  status: fc.integer({ min: 200, max: 599 }),
  headers: fc.dictionary(text, text, { noNullPrototype: true }),
  sealed: fc.boolean(),
  body: text,
});

describe('the text of what is kept of a request', () => {
  it('says all of it, whatever the texts in it are', () => {
    fc.assert(
      fc.property(claim, fc.option(answer, { nil: undefined }), (record, given) => {
        expect(readRecord(recordText(record, given))).toEqual(given ? { ...record, answer: given } : record);
      }),
    );
  });

  it('begins with a line of JSON', () => {
    fc.assert(
      fc.property(claim, answer, (record, given) => {
        const { body, ...rest } = given;
        const [line = ''] = recordText(record, given).split('\n', 1);
        expect(line).toBe(JSON.stringify({ ...record, answer: rest }));
        expect(recordText(record)).toBe(JSON.stringify(record));
        expect(recordText(record, given).slice(line.length + 1)).toBe(body);
      }),
    );
  });
});

describe('an answer as it is kept', () => {
  const secrets = new NodeCryptoSecrets(new Uint8Array(32).fill(1));
  const told = { status: 201, headers: { 'content-type': 'application/json' }, body: '{"secret":"whsec_told_once"}' };
  const record = { fingerprint: 'f', startedAt: 1, leasedAt: 1, leaseUntil: 2, requestId: 'req_1' };

  it.each([true, false])('comes back as it was, sealed or not: %s', (sealed) => {
    expect(answerIn({ ...record, answer: toKeptAnswer(told, sealed, 'key', secrets) }, 'key', secrets)).toEqual(told);
  });

  it('sealed shows nothing of its body', () => {
    expect(JSON.stringify(toKeptAnswer(told, true, 'key', secrets))).not.toContain('whsec');
  });

  it('sealed is not read under another key', () => {
    const answer = toKeptAnswer(told, true, 'key', secrets);
    expect(() => answerIn({ ...record, answer }, 'other', secrets)).toThrow();
  });

  it('is none while there is none', () => {
    expect(answerIn(record, 'key', secrets)).toBeNull();
  });
});
