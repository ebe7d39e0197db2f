import { Logger } from '@nestjs/common';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeEngine, type Processes } from '@testing/fake-engine';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { FakeIds } from '@testing/fake-ids';
import { HostLease } from './host-lease.js';

Logger.overrideLogger(false);

/** A process that wants the lease. */
class Candidate {
  working = 0;
  /** How often it began to work. */
  begun = 0;
  mayHold = true;
  readonly end = new AbortController();
  private readonly lease: HostLease;
  private running = Promise.resolve();

  constructor(records: FakeExpiringRecords, clock: FakeClock, seed: number, processes: Processes = 'several') {
    this.lease = new HostLease(records, new FakeEngine(processes), clock, new FakeIds(clock, seed));
  }

  start(): this {
    const work = async (signal: AbortSignal) => {
      this.working++;
      this.begun++;
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      this.working--;
    };
    this.running = this.lease.whileHeld('work', this.end.signal, work, () => Promise.resolve(this.mayHold));
    return this;
  }

  async stop(): Promise<void> {
    this.end.abort();
    await this.running;
  }
}

const clock = new FakeClock();
let records: FakeExpiringRecords;
let first: Candidate;
let second: Candidate;
beforeEach(() => {
  records = new FakeExpiringRecords(clock);
  first = new Candidate(records, clock, 1);
  second = new Candidate(records, clock, 2);
});
afterEach(async () => {
  await first.stop();
  await second.stop();
});

function working(): readonly number[] {
  return [first.working, second.working];
}

describe('the lease', () => {
  it('lets one work on and on while the other stands by, however long', async () => {
    first.start();
    await settle();
    second.start();
    await clock.advance(120_000);
    expect(working()).toEqual([1, 0]);
    expect([first.begun, second.begun]).toEqual([1, 0]);
  });

  it('is sought again when its store could not be asked', async () => {
    const create = records.create.bind(records);
    records.create = () => Promise.reject(new Error('out of reach'));
    first.start();
    await clock.advance(5_000);
    expect(first.working).toBe(0);
    records.create = create;
    await clock.advance(500);
    expect(first.working).toBe(1);
  });

  it('that cannot be given back ends the work all the same', async () => {
    first.start();
    await settle();
    records.remove = () => Promise.reject(new Error('out of reach'));
    await first.stop();
    expect(first.working).toBe(0);
  });

  it('passes on soon after its holder stops', async () => {
    first.start();
    await settle();
    second.start();
    await settle();
    await first.stop();
    await clock.advance(500);
    expect(working()).toEqual([0, 1]);
  });

  it('passes on within seven seconds after its holder was killed', async () => {
    records.all.set('lease:work', { value: 'killed', version: 'v', expiresAt: clock.now() + 6_000 });
    second.start();
    await clock.advance(6_500);
    expect(working()).toEqual([0, 1]);
  });

  it('is not sought by a process that may not hold it', async () => {
    first.mayHold = false;
    first.start();
    second.start();
    await clock.advance(1_000);
    expect(working()).toEqual([0, 1]);
    first.mayHold = true;
    await second.stop();
    await clock.advance(500);
    expect(working()).toEqual([1, 0]);
  });

  it.each(['rejected', 'lost'] as const)('is kept when the answer to a renewal that was stored is %s', async (how) => {
    first.start();
    await settle();
    second.start();
    const replace = records.replace.bind(records);
    records.replace = async (...record) => {
      await replace(...record);
      records.replace = replace;
      return how === 'lost' ? new Promise(() => undefined) : Promise.reject(new Error('out of reach'));
    };
    await clock.advance(60_000);
    expect([working(), first.begun]).toEqual([[1, 0], 1]);
    await first.stop();
    await clock.advance(500);
    expect(working()).toEqual([0, 1]);
  });

  it('is given back though the answer to the last renewal was lost', async () => {
    first.start();
    await settle();
    second.start();
    const replace = records.replace.bind(records);
    records.replace = async (...record) => {
      await replace(...record);
      throw new Error('out of reach');
    };
    const get = jest.spyOn(records, 'get').mockRejectedValue(new Error('out of reach'));
    await clock.advance(2_000);
    get.mockRestore();
    await first.stop();
    await clock.advance(500);
    expect(working()).toEqual([0, 1]);
  });

  it('passes on when its holder cannot be heard of any more, and never to both', async () => {
    first.start();
    await settle();
    records.replace = () => Promise.reject(new Error('out of reach'));
    second.start();
    for (let second_ = 0; second_ < 12; second_++) {
      await clock.advance(1_000);
      expect(working().reduce((sum, one) => sum + one)).toBeLessThanOrEqual(1);
    }
    expect(records.all.size).toBe(1);
  });

  it('that somebody else took is given up, and sought again', async () => {
    first.start();
    await settle();
    records.all.clear();
    await records.create('lease:work', 'another', clock.now() + 10_000);
    await clock.advance(3_000);
    expect(first.working).toBe(0);
    await clock.advance(8_000);
    expect(first.working).toBe(1);
  });

  it('is not needed where an engine admits one process', async () => {
    first = new Candidate(records, clock, 3, 'one').start();
    await settle();
    expect(first.working).toBe(1);
    expect(records.all.size).toBe(0);
  });
});
