import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Shutdown } from '@application/shutdown';
import { FakeClock } from '@testing/fake-clock';
import { ReadShares } from './read-shares.js';

type Hook = (request: FastifyRequest, reply: unknown, done: (error?: Error) => void) => void;

let clock: FakeClock;
let shutdown: Shutdown;
let reads: ReadShares;
let enter: Hook;

beforeEach(() => {
  [clock, shutdown] = [new FakeClock(), new Shutdown()];
  reads = new ReadShares(clock, shutdown);
  reads.install({ addHook: (_: string, hook: Hook) => void (enter = hook) } as unknown as FastifyInstance);
});

class Visit {
  told: string | null = null;
  readonly socket = { destroyed: false };
  readonly request: FastifyRequest;

  constructor(projectId: string | null, rate = 'read', perSecond = 0) {
    const caller = projectId === null ? null : { projectId, rateLimits: { read: perSecond } };
    const policy = { access: 'project', rate, pages: true };
    this.request = { caller, raw: { socket: this.socket }, routeOptions: { config: { policy } } } as never;
    enter(this.request, {}, (error) => (this.told = error instanceof DomainError ? error.code : 'goes on'));
  }
}

const visits = (count: number, projectId: string | null, rate?: string) =>
  Array.from({ length: count }, () => new Visit(projectId, rate));
const going = (all: readonly Visit[]) => all.filter(({ told }) => told === 'goes on').length;

describe('a page', () => {
  it('waits for others of its project alone', () => {
    expect(going(visits(20, 'prj_1'))).toBe(16);
    expect(going(visits(20, 'prj_2'))).toBe(16);
  });

  it('is all that waits', () => {
    expect(going(visits(20, 'prj_1', 'write'))).toBe(20);
    expect(going(visits(20, null))).toBe(20);
  });

  it('is refused where too many wait', () => {
    visits(16 + 1_000, 'prj_1');
    expect(new Visit('prj_1').told).toBe('rate_limit_exceeded');
  });

  it('makes room for the next when it is answered, and once it departs without an answer', () => {
    const all = visits(18, 'prj_1');
    reads.answered(all[0]!.request, 10);
    reads.answered(all[0]!.request, 10);
    expect(going(all)).toBe(17);
    reads.departed(all[0]!.request);
    expect(going(all)).toBe(17);
    reads.departed(all[1]!.request);
    expect(going(all)).toBe(18);
  });

  it('whose answer is not taken keeps its room until its client has gone', () => {
    const first = new Visit('prj_1');
    reads.answered(first.request, 16 * 1_048_576);
    const next = new Visit('prj_1');
    expect(next.told).toBeNull();
    reads.departed(first.request);
    expect(next.told).toBe('goes on');
  });

  it('gives its room back once, however often its client is said to have gone', () => {
    const [first, second] = visits(2, 'prj_1');
    reads.answered(first!.request, 8 * 1_048_576);
    reads.answered(second!.request, 16 * 1_048_576);
    for (const _ of [1, 2]) reads.departed(first!.request);
    expect(new Visit('prj_1').told).toBeNull();
  });

  it('waits for long answers by the rate of its project, unless the process is to end', async () => {
    const first = new Visit('prj_1', 'read', 100);
    reads.answered(first.request, 100 * 1_048_576);
    reads.departed(first.request);
    const next = new Visit('prj_1', 'read', 100);
    expect(next.told).toBeNull();
    shutdown.begin();
    await clock.advance(250);
    expect(next.told).toBe('goes on');
    expect(new Visit('prj_1', 'read', 0).told).toBe('goes on');
  });

  it('of a client that has gone meanwhile is not carried out', () => {
    const all = visits(17, 'prj_1');
    all[16]!.socket.destroyed = true;
    reads.answered(all[0]!.request, 10);
    expect(all[16]!.told).toBe('rate_limit_exceeded');
  });
});
