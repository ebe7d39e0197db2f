import type { FastifyReply } from 'fastify';
import type { Caller } from '@application/projects/caller';
import { Logger } from '@nestjs/common';
import { FakeClock } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { instancesOn } from '@testing/instances-on';
import { RateLimits } from './rate-limits.js';

Logger.overrideLogger(false);

/** For a single gateway. */
const limitsOf = (clock: FakeClock) => new RateLimits(clock, instancesOn(new FakeExpiringRecords(clock), clock, 'one'));
const caller = { projectId: 'prj_1', rateLimits: { read: 1, write: 1, messages: 1 } } as unknown as Caller;

it('a clock that is set back takes no request from anybody, and gives none', () => {
  const clock = new FakeClock();
  const limits = limitsOf(clock);
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
  const limits = limitsOf(new FakeClock());
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

describe('several gateways', () => {
  const clock = new FakeClock();
  const stored = new FakeExpiringRecords(clock);
  const busy = { projectId: 'prj_1', rateLimits: { read: 10, write: 1, messages: 0 } } as unknown as Caller;

  async function gateway() {
    const records = new FakeExpiringRecords(clock, stored.all);
    const instances = instancesOn(records, clock);
    await instances.onModuleInit();
    return { records, limits: new RateLimits(clock, instances) };
  }
  /** How many requests a full bucket grants, and the last `RateLimit-Policy`. */
  function granted({ limits }: Awaited<ReturnType<typeof gateway>>, rateClass: 'read' | 'write' | 'messages' = 'read') {
    let policy = '';
    const header = (name: string, value: string) => {
      if (name === 'ratelimit-policy') policy = value;
      return reply;
    };
    const reply = { header } as unknown as FastifyReply;
    for (let count = 0; count < 50; count++) {
      try {
        limits.take(busy, rateClass, reply);
      } catch {
        return [count, policy];
      }
    }
    return ['all', policy];
  }

  it('share what a project may ask for, say so in the headers, and take over the share of one that is gone', async () => {
    const [one, two, three] = [await gateway(), await gateway(), await gateway()];
    await clock.advance(10_000);
    expect([one, two, three].map((each) => granted(each))).toEqual(Array(3).fill([6, '"read";q=6;w=2']));
    expect(granted(one, 'write')).toEqual([2, '"write";q=2;w=2']);
    expect(granted(one, 'messages')).toEqual(['all', '']);
    three.records.away = true;
    await clock.advance(10_000);
    expect(granted(one)).toEqual([10, '"read";q=10;w=2']);
    expect(granted(three)).toEqual([6, '"read";q=6;w=2']);
    two.records.away = true;
    one.records.away = true;
    await clock.advance(20_000);
    expect(granted(one)).toEqual([10, '"read";q=10;w=2']);
  });
});
