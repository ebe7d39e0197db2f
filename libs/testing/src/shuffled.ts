import type fc from 'fast-check';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Appended, ExpectedRevision, NewEvent, ReadOptions, Recorded } from '@ports/event-store.port';
import type { FakeClock } from './fake-clock.js';
import { FakeEventStore } from './fake-event-store.js';

/** An event store whose operations run in the order that the scheduler picks. */
export class ShuffledEventStore extends FakeEventStore {
  constructor(
    private readonly scheduler: fc.Scheduler,
    log: Recorded[] = [],
  ) {
    super(log);
  }

  override async append(stream: string, events: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> {
    await this.turn();
    return super.append(stream, events, expected);
  }

  override async read<E extends DomainEvent>(stream: string, options?: ReadOptions): Promise<readonly Recorded<E>[]> {
    await this.turn();
    return super.read<E>(stream, options);
  }

  private turn(): Promise<void> {
    return this.scheduler.schedule(Promise.resolve());
  }
}

/** Runs the scheduled operations until the work settles, and advances the clock when none is scheduled. */
export async function carryOut<T>(scheduler: fc.Scheduler, clock: FakeClock, work: Promise<T>): Promise<T> {
  let done = false;
  const finish = () => (done = true);
  work.then(finish, finish);
  while (!done) {
    if (scheduler.count() > 0) await scheduler.waitOne();
    else await clock.advance(1);
  }
  return work;
}
