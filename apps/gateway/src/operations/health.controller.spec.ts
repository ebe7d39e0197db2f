import type { FastifyReply } from 'fastify';
import { Metrics } from '@platform/operations/metrics';
import { Readiness } from '@platform/operations/readiness';
import type { Engine, EnginePart } from '@ports/engine.port';
import { HealthController } from './health.controller.js';

const found =
  (...parts: readonly EnginePart[]) =>
  () =>
    Promise.resolve(parts);
const store = (ready: boolean) => ({ name: 'store', ready });
const outOfReach = () => Promise.reject(new Error('nobody answers'));

async function asked(serving: boolean, parts: Engine['parts']) {
  const readiness = new Readiness({ parts } as Engine);
  readiness.set(serving);
  let code = 200;
  const reply = { status: (given: number) => (code = given) } as unknown as FastifyReply;
  const body = await new HealthController(readiness, new Metrics()).ready(reply);
  return [code, body.status, body.failing];
}

it.each([
  ['serves, and its engine is there', true, found(store(true)), [200, 'ready', undefined]],
  ['does not serve yet', false, found(store(true)), [503, 'not_ready', ['gateway']]],
  ['has a part that is not there', true, found(store(false), { name: 'bus', ready: true }), [503, 'not_ready', ['store']]],
  ['cannot ask its engine', true, outOfReach, [503, 'not_ready', ['engine']]],
])('a service that %s is ready or names what is not', async (_, serving, parts, told) => {
  expect(await asked(serving, parts)).toEqual(told);
});
