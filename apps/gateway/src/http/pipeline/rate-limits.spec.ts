import type { FastifyReply } from 'fastify';
import type { Caller } from '@application/projects/caller';
import { FakeClock } from '@testing/fake-clock';
import { RateLimits } from './rate-limits.js';

const caller = { projectId: 'prj_1', rateLimits: { read: 1, write: 1, messages: 1 } } as unknown as Caller;

it('a clock that is set back takes no request from anybody, and gives none', () => {
  const clock = new FakeClock();
  const limits = new RateLimits(clock);
  const told: string[] = [];
  const reply = { header: (name: string, value: string) => (name === 'ratelimit-remaining' && told.push(value), reply) };
  const take = () => limits.take(caller, 'read', reply as unknown as FastifyReply);
  take();
  clock.set(clock.now() - 3_600_000);
  take();
  expect(take).toThrow('Too many requests');
  expect(told).toEqual(['1', '0', '0']);
});

it('what one project or kind of request has used up is refused however many others come in between', () => {
  const limits = new RateLimits(new FakeClock());
  const reply = { header: () => reply } as unknown as FastifyReply;
  const take = (projectId: string, rateClass: 'read' | 'write') => limits.take({ ...caller, projectId }, rateClass, reply);
  for (let burst = 0; burst < 2; burst++) {
    take('prj_1', 'read');
    take('prj_1', 'write');
    take('prj_2', 'read');
  }
  take('prj_3', 'read');
  expect(() => take('prj_1', 'read')).toThrow('Too many requests');
  expect(() => take('prj_1', 'write')).toThrow('Too many requests');
  expect(() => take('prj_2', 'read')).toThrow('Too many requests');
});
