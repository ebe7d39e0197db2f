import { AttemptRunner } from '@application/webhooks/attempts/attempt-runner';
import { AttemptScheduler } from '@application/webhooks/attempts/attempt-scheduler';
import { DeliveryConsumer } from '@application/webhooks/attempts/delivery.consumer';
import { DeliveryWorker } from '@application/webhooks/attempts/delivery.worker';
import { OverdueSweeper } from '@application/webhooks/attempts/overdue.sweeper';
import { DeliveryCounts } from '@application/webhooks/delivery-counts';
import { parsePointer, type DeliveryPointer } from '@application/webhooks/delivery-pointer';
import { DeliveryTopics } from '@application/webhooks/delivery-topics';
import type { DueDeliveries } from '@application/webhooks/due-deliveries';
import { Shutdown } from '@application/runtime/shutdown';
import { SweeperRunner } from '@application/sweepers/sweeper-runner';
import { deliveriesDecider, type DeliveryCommand } from '@domain/delivery/deliveries.decider';
import { deliveryOf, type EventDeliveries } from '@domain/delivery/event-deliveries';
import type { Delivery } from '@domain/delivery/delivery';
import type { RetrySchedule } from '@domain/delivery/retry-schedule';
import { FIRST_TOPIC, tiersOf } from '@domain/delivery/tiers';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { claim, claimed, event, frozen, result, retry, scheduled } from './delivery-events.js';
import type { FakeClock } from './fake-clock.js';
import { settle } from './fake-clock.js';
import { FakeIds } from './fake-ids.js';
import { answered } from './fake-sender.js';
import { FakeEngine } from './fake-engine.js';
import { fakeSettings } from './fake-settings.js';
import { MemoryBus } from './memory-bus.js';

const DELIVERY = 'whd_1';

/** One delivery that waits for its retry, and what became of it. Times are of `Clock.elapsed()`. */
export class WaitingRetry {
  state: EventDeliveries;
  /** When its present wait was decided on. */
  decidedAt: number;
  /** When its attempt began, and for when it was due by the clock. */
  left: { readonly at: number; readonly dueAt: number } | null = null;
  /** The tier that it was published to last. */
  topic: string | null = null;
  timesRescheduled = 0;

  constructor(
    readonly eventId: string,
    readonly endpointId: string,
    private readonly clock: FakeClock,
    waitMs: number,
  ) {
    const now = clock.now();
    const past: DeliveryEvent[] = [frozen, scheduled(), claimed(now), retry(now, result(1, 503), now + waitMs)];
    this.state = past.reduce((state, each) => deliveriesDecider.evolve(state, each), deliveriesDecider.initial);
    this.decidedAt = clock.elapsed();
  }

  get delivery(): Delivery {
    return deliveryOf(this.state, DELIVERY)!;
  }

  get pointer(): DeliveryPointer {
    const { projectId, appointmentId } = event;
    const { eventId, endpointId, delivery } = this;
    const about = { eventId, deliveryId: `${DELIVERY}_${eventId}`, projectId, endpointId, appointmentId };
    return { ...about, attempt: delivery.attemptCount + 1, dueAt: delivery.dueAt ?? 0 };
  }

  run(command: DeliveryCommand): void {
    for (const decided of deliveriesDecider.decide(command, this.state)) {
      if (decided.type === 'DeliveryClaimed') this.left = { at: this.clock.elapsed(), dueAt: this.delivery.dueAt ?? 0 };
      this.state = deliveriesDecider.evolve(this.state, decided);
      if (decided.type !== 'DeliveryRescheduled') continue;
      this.decidedAt = this.clock.elapsed();
      this.timesRescheduled += 1;
    }
  }
}

/** Deliveries that wait for retries: their rows and the topics outlive the processes, which hold and sweep as real ones do. */
export class TierWorld {
  readonly retries: WaitingRetry[] = [];
  /** Called when an attempt begins. */
  onLeft: (retry: WaitingRetry) => void = () => undefined;
  private readonly bus: MemoryBus;
  private process = new AbortController();
  private topics: DeliveryTopics | null = null;
  private schedule: RetrySchedule | null = null;

  constructor(readonly clock: FakeClock) {
    this.bus = new MemoryBus(clock);
    const publish = this.bus.publish.bind(this.bus);
    this.bus.publish = (topic, messages) => {
      if (topic !== FIRST_TOPIC) for (const { value } of messages) this.of(parsePointer(value)!).topic = topic;
      return publish(topic, messages);
    };
  }

  /** The most that the tier of a retry holds anybody: its wait and its largest jitter. */
  mostHeldMs({ topic }: WaitingRetry): number {
    const tier = this.schedule && tiersOf(this.schedule).find((each) => each.topic === topic);
    return tier ? tier.waitMs + tier.mostJitterMs : 0;
  }

  async start(schedule: RetrySchedule): Promise<void> {
    const { clock, bus } = this;
    const settings = fakeSettings({ retrySchedule: schedule });
    const topics = new DeliveryTopics(bus, settings, clock);
    const [found, counts] = [this.found(), new DeliveryCounts()];
    const worker = new DeliveryWorker(...this.working(topics));
    const runner = new AttemptRunner(worker, found, { readAhead: () => undefined } as never, topics, clock, counts);
    const scheduler = new AttemptScheduler(new Shutdown(), clock, new FakeEngine());
    const consumer = new DeliveryConsumer(runner, scheduler, topics, settings, clock, counts);
    await bus.declare(topics.declarations());
    for (const { name } of topics.declarations()) {
      await bus.consume(name, [name], (message) => Promise.resolve(consumer.onPointer(message.value, message)));
    }
    this.process = new AbortController();
    [this.topics, this.schedule] = [topics, schedule];
    const { signal } = this.process;
    void new SweeperRunner(new OverdueSweeper(found, topics, settings, clock), clock, new FakeIds(clock)).run(signal);
    await settle();
  }

  kill(): void {
    this.process.abort();
    this.bus.kill();
    this.topics = null;
  }

  /** An attempt fails, and its retry is to be made after so long. A process that dies meanwhile publishes nothing. */
  async fail(waitMs: number, isPublished: boolean): Promise<void> {
    const place = this.retries.length;
    const waiting = new WaitingRetry(`evt_${place}`, `we_${place % 3}`, this.clock, waitMs);
    this.retries.push(waiting);
    if (isPublished) await this.topics?.publish([waiting.pointer]);
  }

  private of({ eventId }: DeliveryPointer): WaitingRetry {
    return this.retries[Number(eventId.slice(4))]!;
  }

  private working(topics: DeliveryTopics): ConstructorParameters<typeof DeliveryWorker> {
    const claims = {
      claim: (pointer: DeliveryPointer) => {
        const waiting = this.of(pointer);
        const endpoint = {};
        if (waiting.left) return Promise.resolve({ claimed: null, delivery: waiting.delivery, endpoint });
        waiting.run({ ...claim(this.clock.now(), 'att_2'), deliveryId: DELIVERY });
        if (waiting.left) this.onLeft(waiting);
        return Promise.resolve({ claimed: waiting.left, delivery: waiting.delivery, endpoint });
      },
      record: (pointer: DeliveryPointer) => Promise.resolve(this.of(pointer).delivery),
    };
    return [{} as never, claims as never, { post: () => Promise.resolve(answered(200)) } as never, topics, new DeliveryCounts()];
  }

  private found(): DueDeliveries {
    const waiting = () => this.retries.filter(({ delivery }) => delivery.dueAt !== null);
    const page = (some: readonly WaitingRetry[]) => Promise.resolve({ pointers: some.map(({ pointer }) => pointer), next: null });
    const found: Pick<DueDeliveries, 'areFresh' | 'areFreshAtLast' | 'dueBy'> = {
      areFresh: () => Promise.resolve(true),
      areFreshAtLast: () => Promise.resolve(true),
      dueBy: (field, upTo, _limit, after) => {
        const at = ({ dueAt, overdueAt, decidedAt }: Delivery) =>
          (field === 'waitsSince' ? decidedAt : field === 'lostAt' ? overdueAt : dueAt) ?? Infinity;
        return page(waiting().filter(({ delivery }) => at(delivery) >= (after?.value ?? 0) && at(delivery) <= upTo));
      },
    };
    return found as DueDeliveries;
  }
}
