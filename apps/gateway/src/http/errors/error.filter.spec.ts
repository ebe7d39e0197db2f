import type { ArgumentsHost } from '@nestjs/common';
import { DomainError, type ErrorCode } from '@domain/kernel/domain-error';
import type { Logger } from '@platform/logging/logger';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { ErrorFilter } from './error.filter.js';

const REQUEST = { id: 'req_1' };

/** The answer and the log lines when this is thrown so many times. */
function told(thrown: unknown, times = 1, request: object = REQUEST) {
  const logged: unknown[] = [];
  const heard = { status: 0, headers: {} as Record<string, string>, error: {} as Record<string, unknown> };
  const reply = {
    sent: false,
    status: (status: number) => (Object.assign(heard, { status }), reply),
    headers: (headers: object) => (Object.assign(heard, { headers }), reply),
    type: () => reply,
    send: (body: object) => (Object.assign(heard, body), reply),
  };
  const logger = { failure: (_: string, error: unknown, fields: object) => logged.push({ error, ...fields }) };
  const host = { switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }) };
  const filter = new ErrorFilter(logger as unknown as Logger, new FakeClock());
  for (let time = 0; time < times; time++) filter.catch(thrown, host as unknown as ArgumentsHost);
  return { ...heard, logged };
}

it.each([new Error('the secret of the machine'), 'a text', null, { statusCode: 400, message: 'not of the framework' }])(
  'what nobody foresaw is an internal error that says nothing, and is in the log: %p',
  (thrown) => {
    const { status, error, headers, logged } = told(thrown);
    expect([status, error['type'], error['code']]).toEqual([500, 'api_error', 'internal_error']);
    expect(error['message']).toBe('Something went wrong on our side.');
    expect(headers['service-should-retry']).toBe('true');
    expect(logged).toEqual([{ error: thrown, request_id: 'req_1' }]);
  },
);

it('a store out of reach says when to come back, and is in the log', () => {
  const thrown = new StoreUnavailable('the disk is gone');
  const { status, error, headers, logged } = told(thrown);
  expect([status, error['code']]).toEqual([503, 'service_unavailable']);
  expect(JSON.stringify(error)).not.toContain('disk');
  expect(headers).toEqual({ 'service-should-retry': 'true', 'retry-after': '1' });
  expect(logged).toEqual([{ error: thrown, request_id: 'req_1' }]);
});

it('a store that stays out of reach is in the log once, what nobody foresaw every time', () => {
  expect(told(new StoreUnavailable('the disk is gone'), 5).logged).toHaveLength(1);
  expect(told(new Error('odd'), 5).logged).toHaveLength(5);
});

it('a refusal is told to the client alone', () => {
  const { status, error, logged } = told(new DomainError('resource_missing', 'No such thing.', { param: 'id' }));
  expect([status, error['param'], error['request_id'], logged]).toEqual([404, 'id', 'req_1', []]);
});

describe('the advice to send a request again that may have been carried out', () => {
  const codes = ['internal_error', 'agent_unavailable', 'service_unavailable', 'reply_timeout'] as const;
  const advice = (code: ErrorCode, request: object) =>
    told(new DomainError(code, 'No.'), 1, { ...REQUEST, ...request }).headers['service-should-retry'];
  const begun = { context: {}, key: null };

  it.each(codes)('is no for a POST without a key, which would do it twice: %s', (code) =>
    expect(advice(code, { method: 'POST', state: begun })).toBe('false'),
  );

  it.each(codes)('is yes with a key, for other methods, and before the execution: %s', (code) => {
    const harmless = [
      { method: 'POST', state: { ...begun, key: 'k' } },
      { method: 'POST', state: { context: null, key: null } },
      { method: 'GET', state: { context: null, key: null } },
      { method: 'DELETE', state: begun },
      { method: 'PATCH', state: begun },
      { method: 'POST' },
    ];
    expect(harmless.map((request) => advice(code, request))).toEqual(harmless.map(() => 'true'));
  });

  it('stays yes for what was not carried out', () =>
    expect(advice('rate_limit_exceeded', { method: 'POST', state: begun })).toBe('true'));
});
