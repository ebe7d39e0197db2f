import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestContext } from '@application/runtime/request-context';
import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import type { Idempotency } from '../idempotency/idempotency.js';
import { claimKey } from './idempotency.step.js';
import { RequestState } from './request-state.js';
import type { PipelineServices } from './step.js';

const clock = new FakeClock();
const startedAt = clock.now();
const begun = (isRetry: boolean) => ({ kind: 'execute', lock: { record: { startedAt }, isRetry } });

/** The context of a request by this API key. */
async function contextOf(id: string, key: string | null = null, isRetry = false): Promise<RequestContext> {
  const state = Object.assign(new RequestState(), { caller: { projectId: 'prj_1', keyId: 'key_1' }, key });
  const policy = { access: 'project', body: null };
  const request = { id, method: 'POST', url: '/v1/customers', state, routeOptions: { config: { policy } } };
  const idempotency = { begin: () => Promise.resolve(begun(isRetry)) } as unknown as Idempotency;
  const services = { clock, ids: new FakeIds(clock), idempotency } as unknown as PipelineServices;
  await claimKey(request as unknown as FastifyRequest, {} as FastifyReply, services);
  return state.context!;
}

describe('what a request of a client causes', () => {
  it('names the request and the API key', async () => {
    const { envelope } = await contextOf('req_1');
    const $correlationId = expect.stringMatching(/^cor_[0-9A-Z]{26}$/) as string;
    const actor = { type: 'client', id: 'key_1' };
    expect(envelope).toEqual({ $correlationId, $causationId: 'req_1', actor, requestId: 'req_1' });
  });

  it('has one correlation id for each request', async () => {
    const [one, two] = [await contextOf('req_1'), await contextOf('req_2')];
    expect(one.envelope.$correlationId).not.toBe(two.envelope.$correlationId);
  });

  it('has one for all requests under one key, each with its own id', async () => {
    const [one, again] = [await contextOf('req_1', 'key'), await contextOf('req_2', 'key', true)];
    expect(again.envelope.$correlationId).toBe(one.envelope.$correlationId);
    expect([one, again].map(({ envelope }) => envelope.requestId)).toEqual(['req_1', 'req_2']);
  });
});
