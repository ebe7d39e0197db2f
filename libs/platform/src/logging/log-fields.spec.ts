import { allowed, describeError } from './log-fields.js';

const CONTENT = 'what a client said';

describe('a log line', () => {
  it('carries the fields it may carry and no other', () => {
    const fields = { request_id: 'req_1', status: 200, content: CONTENT };
    expect(allowed(fields)).toEqual({ request_id: 'req_1', status: 200 });
  });

  it('tells a failure by its name, its code and twelve call sites', () => {
    const failure = Object.assign(new RangeError('too far'), { code: 'E_FAR' });
    const { at, ...rest } = describeError(
      Object.assign(failure, { stack: `RangeError: too far\n${'    at f (a.js:1:2)\n'.repeat(20)}` }),
    );
    expect(rest).toEqual({ name: 'RangeError', code: 'E_FAR' });
    expect(at).toEqual(Array.from({ length: 12 }, () => 'at f (a.js:1:2)'));
  });

  it.each([CONTENT, `on several lines:\n    at ${CONTENT}`])('tells nothing of what a failure quotes: %j', (message) => {
    const failure = describeError(new Error(message));
    expect(JSON.stringify(failure)).not.toContain(CONTENT);
    expect(failure.at[0]).toContain(__filename);
  });

  it('tells no code that is not a word of its own', () => {
    const failure = Object.assign(new Error('odd'), { code: [CONTENT] });
    expect(describeError(failure)).not.toHaveProperty('code');
  });

  it('tells what the database says of itself, and of nothing else', () => {
    const errstr = 'database disk image is malformed';
    const failure = Object.assign(new Error(CONTENT), { errstr });
    expect(describeError(Object.assign(failure, { code: 'ERR_SQLITE_ERROR' }))).toMatchObject({ reason: errstr });
    expect(describeError(Object.assign(failure, { code: 'E_OTHER' }))).not.toHaveProperty('reason');
  });

  it.each([[CONTENT], [{ code: CONTENT }], [null]])('tells of a thrown %j no more than its kind', (thrown) => {
    expect(describeError(thrown)).toEqual({ name: typeof thrown, at: [] });
  });
});
