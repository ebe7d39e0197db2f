import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Shutdown } from '@application/runtime/shutdown';
import { FakeClock, settle } from '@testing/fake-clock';
import { AnswerBudget } from './answer-budget.js';

let clock: FakeClock;
let shutdown: Shutdown;
let budget: AnswerBudget;

beforeEach(() => {
  [clock, shutdown] = [new FakeClock(), new Shutdown()];
  budget = new AnswerBudget(clock, shutdown);
});

class Visit {
  told: string | null = null;
  readonly socket = { destroyed: false };
  private readonly request: FastifyRequest;

  constructor(projectId: string | null, rate = 'read', perSecond = 0) {
    const caller = projectId === null ? null : { projectId, rateLimits: { read: perSecond, write: perSecond } };
    const policy = { access: 'project', rate, pages: rate === 'read' };
    const state = { caller, answerSlot: null };
    this.request = { state, raw: { socket: this.socket }, routeOptions: { config: { policy } } } as never;
    const refuse = (error: unknown) => (this.told = error instanceof DomainError ? error.code : String(error));
    try {
      const outcome = budget.reserve(this.request);
      if (outcome instanceof Promise) outcome.then(() => (this.told = 'goes on'), refuse);
      else this.told = 'goes on';
    } catch (error) {
      refuse(error);
    }
  }

  async answered(bytes: number): Promise<void> {
    this.request.state.answerSlot?.charge(bytes);
    await settle();
  }

  async departed(): Promise<void> {
    this.request.state.answerSlot?.leave();
    await settle();
  }
}

const visits = (count: number, projectId: string | null, rate?: string) =>
  Array.from({ length: count }, () => new Visit(projectId, rate));
const going = (all: readonly Visit[]) => all.filter(({ told }) => told === 'goes on').length;

describe('a page', () => {
  it('waits for others of its project alone', async () => {
    expect(going(visits(20, 'prj_1'))).toBe(16);
    expect(going(visits(20, 'prj_2'))).toBe(16);
  });

  it('is all that waits', async () => {
    expect(going(visits(20, 'prj_1', 'write'))).toBe(20);
    expect(going(visits(20, null))).toBe(20);
  });

  it('is refused where too many wait', async () => {
    visits(16 + 4_000, 'prj_1');
    expect(new Visit('prj_1').told).toBe('rate_limit_exceeded');
  });

  it('makes room for the next when it is answered, and once it departs without an answer', async () => {
    const all = visits(18, 'prj_1');
    await all[0]!.answered(10);
    await all[0]!.answered(10);
    expect(going(all)).toBe(17);
    await all[0]!.departed();
    expect(going(all)).toBe(17);
    await all[1]!.departed();
    expect(going(all)).toBe(18);
  });

  it('whose answer is not taken keeps its room until its client has gone', async () => {
    const first = new Visit('prj_1');
    await first.answered(16 * 1_048_576);
    const next = new Visit('prj_1');
    expect(next.told).toBeNull();
    await first.departed();
    expect(next.told).toBe('goes on');
  });

  it('gives its room back once, however often its client is said to have gone', async () => {
    const [first, second] = visits(2, 'prj_1');
    await first!.answered(8 * 1_048_576);
    await second!.answered(16 * 1_048_576);
    for (const _ of [1, 2]) await first!.departed();
    expect(new Visit('prj_1').told).toBeNull();
  });

  it('waits for long answers by the rate of its project, unless the process is to end', async () => {
    const first = new Visit('prj_1', 'read', 100);
    await first.answered(100 * 1_048_576);
    await first.departed();
    const next = new Visit('prj_1', 'read', 100);
    expect(next.told).toBeNull();
    shutdown.begin();
    await clock.advance(250);
    expect(next.told).toBe('goes on');
    expect(new Visit('prj_1', 'read', 0).told).toBe('goes on');
  });

  it('of a client that has gone meanwhile is not carried out', async () => {
    const all = visits(17, 'prj_1');
    all[16]!.socket.destroyed = true;
    await all[0]!.answered(10);
    expect(all[16]!.told).toBe('rate_limit_exceeded');
  });
});

describe('a write', () => {
  it('waits until the answers to writes before it are taken, replays among them', async () => {
    const first = new Visit('prj_1', 'write');
    await first.answered(16 * 1_048_576);
    const next = ['write', 'messages', 'registration'].map((rate) => new Visit('prj_1', rate));
    expect(going(next)).toBe(0);
    await first.departed();
    expect(going(next)).toBe(3);
  });

  it('waits for no reads, and no read for it', async () => {
    await new Visit('prj_1').answered(16 * 1_048_576);
    const write = new Visit('prj_1', 'write');
    expect(write.told).toBe('goes on');
    await new Visit('prj_2', 'write').answered(16 * 1_048_576);
    expect(new Visit('prj_2').told).toBe('goes on');
  });

  it('is carried out though its client has gone while it waited', async () => {
    const first = new Visit('prj_1', 'write');
    await first.answered(16 * 1_048_576);
    const next = new Visit('prj_1', 'write');
    next.socket.destroyed = true;
    await first.departed();
    expect(next.told).toBe('goes on');
  });
});
