import Fastify, { type FastifyInstance } from 'fastify';
import { collectGarbage } from '@testing/garbage';
import { acceptJsonOnly, type JsonBody } from './json-body.js';
import { MOST_BODY_BYTES } from './request-bounds.js';
import type { MetadataText } from './metadata-text.js';

const BODIES = 100;

let fastify: FastifyInstance;
let kept: string[];
beforeEach(() => {
  kept = [];
  fastify = Fastify();
  acceptJsonOnly(fastify, { enter: (_request, _bytes, done) => done(null) });
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
    const rest = 'r'.repeat(MOST_BODY_BYTES / 2);
    await collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for (let body = 0; body < BODIES; body += 1) await post(`{"channel":"web widget ${body}"}`, rest);
    await collectGarbage();
    expect(kept).toHaveLength(2 * BODIES);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan((BODIES * rest.length) / 2);
  });
});
