import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Shutdown } from '@application/runtime/shutdown';
import { FakeClock } from '@testing/fake-clock';
import { AnswerShares } from './answer-shares.js';

let clock: FakeClock;
let shutdown: Shutdown;
let shares: AnswerShares;

beforeEach(() => {
  [clock, shutdown] = [new FakeClock(), new Shutdown()];
  shares = new AnswerShares(clock, shutdown);
});

class Visit {
  told: string | null = null;
  readonly socket = { destroyed: false };
  readonly request: FastifyRequest;

  constructor(projectId: string | null, rate = 'read', perSecond = 0) {
    const caller = projectId === null ? null : { projectId, rateLimits: { read: perSecond, write: perSecond } };
    const policy = { access: 'project', rate, pages: rate === 'read' };
    this.request = { caller, raw: { socket: this.socket }, routeOptions: { config: { policy } } } as never;
    shares.enter(this.request, (error) => (this.told = error instanceof DomainError ? error.code : 'goes on'));
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
    shares.answered(all[0]!.request, 10);
    shares.answered(all[0]!.request, 10);
    expect(going(all)).toBe(17);
    shares.departed(all[0]!.request);
    expect(going(all)).toBe(17);
    shares.departed(all[1]!.request);
    expect(going(all)).toBe(18);
  });

  it('whose answer is not taken keeps its room until its client has gone', () => {
    const first = new Visit('prj_1');
    shares.answered(first.request, 16 * 1_048_576);
    const next = new Visit('prj_1');
    expect(next.told).toBeNull();
    shares.departed(first.request);
    expect(next.told).toBe('goes on');
  });

  it('gives its room back once, however often its client is said to have gone', () => {
    const [first, second] = visits(2, 'prj_1');
    shares.answered(first!.request, 8 * 1_048_576);
    shares.answered(second!.request, 16 * 1_048_576);
    for (const _ of [1, 2]) shares.departed(first!.request);
    expect(new Visit('prj_1').told).toBeNull();
  });

  it('waits for long answers by the rate of its project, unless the process is to end', async () => {
    const first = new Visit('prj_1', 'read', 100);
    shares.answered(first.request, 100 * 1_048_576);
    shares.departed(first.request);
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
    shares.answered(all[0]!.request, 10);
    expect(all[16]!.told).toBe('rate_limit_exceeded');
  });
});

describe('a write', () => {
  it('waits until the answers to writes before it are taken, replays among them', () => {
    const first = new Visit('prj_1', 'write');
    shares.answered(first.request, 16 * 1_048_576);
    const next = ['write', 'messages', 'registration'].map((rate) => new Visit('prj_1', rate));
    expect(going(next)).toBe(0);
    shares.departed(first.request);
    expect(going(next)).toBe(3);
  });

  it('waits for no reads, and no read for it', () => {
    shares.answered(new Visit('prj_1').request, 16 * 1_048_576);
    const write = new Visit('prj_1', 'write');
    expect(write.told).toBe('goes on');
    shares.answered(new Visit('prj_2', 'write').request, 16 * 1_048_576);
    expect(new Visit('prj_2').told).toBe('goes on');
  });

  it('is carried out though its client has gone while it waited', () => {
    const first = new Visit('prj_1', 'write');
    shares.answered(first.request, 16 * 1_048_576);
    const next = new Visit('prj_1', 'write');
    next.socket.destroyed = true;
    shares.departed(first.request);
    expect(next.told).toBe('goes on');
  });
});
