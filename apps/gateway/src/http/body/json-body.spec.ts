import Fastify, { type FastifyInstance } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { collectGarbage } from '@testing/garbage';
import { FakeClock } from '@testing/fake-clock';
import { acceptJsonOnly, RefusedBody, type JsonBody } from './json-body.js';
import { MAX_BODY_BYTES } from '../pipeline/request-bounds.js';
import { RequestState } from '../pipeline/request-state.js';
import type { MetadataText } from './metadata-text.js';

const BODIES = 100;

/** As the pipeline's first step does. */
function withState(app: FastifyInstance): FastifyInstance {
  return app.addHook('onRequest', (request, _reply, done) => {
    request.state = new RequestState();
    done();
  });
}

let fastify: FastifyInstance;
let kept: string[];
beforeEach(() => {
  kept = [];
  fastify = withState(Fastify());
  acceptJsonOnly(fastify, { admit: (_request, _bytes, done) => done(null) }, new FakeClock());
  fastify.post('/', ({ body }, reply) => {
    const { metadata, customer } = (body as JsonBody).members as { metadata: MetadataText; customer: { metadata: MetadataText } };
    kept.push(metadata.text, customer.metadata.text);
    void reply.send();
  });
});
afterEach(() => fastify.close());

function post(metadata: string, rest = '') {
  const body = `{"metadata":${metadata},"customer":{"metadata":${metadata}},"rest":"${rest}"}`;
  return fastify.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, body });
}

describe('the metadata of a body', () => {
  it('are the very text that was sent', async () => {
    const metadata = '{ "10":1, "2":12345678901234567890, "name":"Zoë \\ud83d\\ude00 😀 \\u0000" }';
    await post(metadata);
    expect(kept).toEqual([metadata, metadata]);
  });

  it('are remembered without the rest of the body', async () => {
    const rest = 'r'.repeat(MAX_BODY_BYTES / 2);
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let body = 0; body < BODIES; body += 1) await post(`{"channel":"web widget ${body}"}`, rest);
    await collectGarbage();
    expect(kept).toHaveLength(2 * BODIES);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan((BODIES * rest.length) / 2);
  });
});

describe('a body', () => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  let app: FastifyInstance;
  let handled: unknown[];
  let refusal: DomainError | null;
  beforeEach(() => {
    [app, handled, refusal] = [withState(Fastify()), [], null];
    const admit = (_request: unknown, _bytes: unknown, done: (refused: Error | null) => void) =>
      void setImmediate(() => done(refusal));
    acceptJsonOnly(app, { admit }, new FakeClock());
    app.setErrorHandler((error, _, reply) => void reply.status(400).send((error as unknown as DomainError).code));
    app.post('/', ({ body }, reply) => {
      handled.push(body);
      void reply.send('handled');
    });
  });
  afterEach(() => app.close());

  async function sent(payload: string, type = 'application/json') {
    const { body } = await app.inject({ method: 'POST', url: '/', headers: { 'content-type': type }, payload });
    // An answered request must not be executed afterwards.
    for (let n = 0; n < 5; n++) await new Promise(setImmediate);
    return [body, handled.length];
  }

  it.each(['application/json; charset=latin1', 'application/json;charset="utf-16"'])('as %s is no JSON', async (type) => {
    expect(await sent('{}', type)).toEqual(['content_type_unsupported', 0]);
  });

  it('beyond its bound is waited for by nobody', async () => {
    expect(await sent(`{"a":"${'x'.repeat(MAX_BODY_BYTES)}"}`)).toEqual(['request_too_large', 0]);
  });

  it('that is not read says so where who is asking is known', async () => {
    refusal = new DomainError('rate_limit_exceeded', 'Full.', { retryAfter: 1 });
    await sent('no JSON');
    expect(handled).toEqual([new RefusedBody(refusal)]);
  });

  it.each([
    ['of nothing', '', ['handled', 1]],
    ['of 32 levels', nested(32), ['handled', 1]],
    ['of 33 levels', nested(33), ['json_invalid', 0]],
  ])('%s is answered', async (_what, json, answer) => {
    expect(await sent(json)).toEqual(answer);
  });
});
