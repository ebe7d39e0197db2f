import fc from 'fast-check';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { pause } from '@ports/clock.port';
import type { EventStore } from '@ports/event-store.port';
import { originOf } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, LEDGER_PROJECT, LedgerWorld, NINE_ON_MONDAY } from '@testing/ledger-world';

/** An attempt may begin this long after a pause was answered. */
const GRACE_MS = 2_000;
/** Never exhausted here: what is not sent in the end was lost. */
const SCHEDULE = { waits: [0, ...Array<number>(49).fill(1_000)], mode: 'gap', jitter: 0 } as const;

const TURNS = ['pause', 'resume', 'enable', 'disable'] as const;
const RACES = ['book and resume', 'book and pause', 'replay and resume', 'book and disable', 'book and replace'] as const;
const NAMES = [
  ...TURNS,
  'pause',
  'pause',
  ...RACES,
  'book',
  'replay',
  'fail',
  'work',
  'kill',
  'kill midway',
  'another',
  'replace',
] as const;
type Name = (typeof NAMES)[number];

const step = fc.record({ name: fc.constantFrom<Name>(...NAMES), ms: fc.constantFrom(0, 0, 1, 30, 500, 1_500, 4_000) });
/** How long the store takes for one call after the other, before it carries it out and before it answers. */
const delays = fc.array(fc.constantFrom(0, 0, 1, 10, 100), { minLength: 7, maxLength: 40 });

describe('pausing', () => {
  it(
    'law: whatever happens in whichever order, no delivery is lost, and none is sent while its endpoint is paused',
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), delays, async (steps, times) => {
          const world = await PausedWorld.create(times);
          try {
            for (const { name, ms } of steps) await world.take(name, ms);
            await world.ended();
            expect(world.sentWhilePaused).toEqual([]);
            expect(await world.lost()).toEqual([]);
          } finally {
            await world.close();
          }
        }),
        { numRuns: 60 },
      ),
    120_000,
  );
});

class PausedWorld {
  readonly sentWhilePaused: string[] = [];
  private readonly others: DeliveryWorld[] = [];
  private endpointId = '';
  private count = 0;
  private pausedAt: number | null = null;
  /** How often an endpoint was disabled or deleted. */
  private removals = 0;
  private calls = 0;

  private constructor(
    private world: DeliveryWorld,
    private readonly times: readonly number[],
  ) {}

  static async create(times: readonly number[]): Promise<PausedWorld> {
    const ledger = await LedgerWorld.create();
    const made = await DeliveryWorld.create({ retrySchedule: SCHEDULE }, undefined, ledger);
    const paused = new PausedWorld(made, times);
    paused.endpointId = (await made.register()).endpoint.id;
    paused.delay(made.ledger.ports.events);
    const send = made.sender.send.bind(made.sender);
    made.sender.send = (request, headCame) => {
      const { pausedAt } = paused;
      const now = made.ledger.clock.now();
      if (pausedAt !== null && now > pausedAt + GRACE_MS) paused.sentWhilePaused.push(`${now - pausedAt} ms later`);
      return send(request, headCame);
    };
    return paused;
  }

  async take(name: Name, ms: number): Promise<void> {
    await this.begun(name);
    await this.world.ledger.clock.advance(ms);
  }

  /** Everything is resumed, all receivers work, and time enough passes. */
  async ended(): Promise<void> {
    await this.begun('work');
    await this.world.elapse(2_000, 500);
    await this.turn('enable');
    await this.world.elapse(30_000, 1_000);
  }

  /** What neither came to its receiver nor was cancelled for a reason, or was never scheduled. */
  async lost(): Promise<readonly string[]> {
    const lost: string[] = [];
    const { items } = await this.world.events();
    for (const { id } of items) {
      const deliveries = await this.world.deliveries(id);
      if (deliveries.length === 0 && this.removals === 0) lost.push(`${id} was not scheduled`);
      for (const { status, cancelReason } of deliveries) {
        const isRemoved = this.removals > 0 && (cancelReason === 'endpoint_disabled' || cancelReason === 'endpoint_deleted');
        if (status === 'succeeded' || cancelReason === 'superseded' || isRemoved) continue;
        lost.push(`${id} is ${status} ${cancelReason} after ${(await this.historyOf(id)).join()}`);
      }
    }
    return lost;
  }

  async close(): Promise<void> {
    await this.world.close();
  }

  private async begun(name: Name): Promise<void> {
    const { sender } = this.world;
    const [one, two] = name.split(' and ') as [Name, Name | undefined];
    if (two) await Promise.all([this.begun(one), this.begun(two)]);
    else if (name === 'book') await this.book();
    else if (name === 'replay') await this.replay();
    else if (name === 'fail') sender.answer = () => answered(503);
    else if (name === 'work') sender.answer = () => answered(200);
    else if (name === 'kill' || name === 'kill midway') await this.kill(name === 'kill');
    else if (name === 'another') await this.another();
    else if (name === 'replace') await this.replace();
    else await this.turn(name as (typeof TURNS)[number]);
  }

  private async turn(to: (typeof TURNS)[number], of = this.world): Promise<void> {
    const commandId = `turn ${++this.count}`;
    const about = { endpointId: this.endpointId, commandId, reason: 'user' } as const;
    const { clock } = this.world.ledger;
    if (to === 'resume' || to === 'enable') this.pausedAt = null;
    if (to === 'disable') this.removals++;
    const status = to === 'enable' ? 'enabled' : 'disabled';
    const running = of.directory.run(
      LEDGER_PROJECT,
      (at) =>
        to === 'pause' || to === 'resume'
          ? { type: to === 'pause' ? 'PauseEndpoint' : 'ResumeEndpoint', at, ...about }
          : { type: 'UpdateEndpoint', at, ...about, changes: { status } },
      originOf(commandId),
    );
    // A disabled one is neither paused nor resumed.
    const endpoints = await this.through(running.catch(() => null));
    const isPaused = endpoints?.endpoints.some((endpoint) => endpoint.status === 'paused');
    if (isPaused) this.pausedAt ??= clock.now();
    else if (endpoints) this.pausedAt = null;
  }

  private async book(): Promise<void> {
    await this.through(this.world.ledger.book({ startsAt: NINE_ON_MONDAY + this.count++ * HALF_HOUR }));
  }

  /** Refusals are no part of the law. */
  private async replay(): Promise<void> {
    const [event] = (await this.through(this.world.events())).items;
    const [delivery] = event ? await this.through(this.world.deliveries(event.id)) : [];
    if (event && delivery) await this.through(this.world.replay(event.id, delivery.id).catch(() => null));
  }

  /** A change by another process, that this one hears of a second later. */
  private async another(): Promise<void> {
    const other = this.world.beside();
    this.others.push(other);
    await this.turn(this.count % 2 === 0 ? 'pause' : 'resume', other);
  }

  /** By a new endpoint, which is not paused. */
  private async replace(): Promise<void> {
    this.removals++;
    const { directory, ledger } = this.world;
    const { endpointId } = this;
    const { endpoint } = await this.through(this.world.register());
    this.endpointId = endpoint.id;
    await this.through(
      directory.run(LEDGER_PROJECT, (at) => ({ type: 'DeleteEndpoint', at, endpointId }), ledger.context()).catch(() => null),
    );
    this.pausedAt = null;
  }

  private async kill(calm: boolean): Promise<void> {
    if (calm) await this.world.quiet();
    this.world = await this.through(this.world.killed());
    this.delay(this.world.ledger.ports.events);
    await this.through(this.world.working({ sweepers: [this.world.overdue, this.world.orphaned] }));
  }

  private async historyOf(eventId: string): Promise<readonly string[]> {
    const stored = await this.world.ledger.ports.events.read<DeliveryEvent>(`deliveries-${eventId}`);
    return stored.map(({ event }) => event.type);
  }

  /** Lets the clock go on while the work goes on. */
  private async through<Value>(work: Promise<Value>): Promise<Value> {
    let isOver = false;
    const over = work.finally(() => (isOver = true));
    over.catch(() => undefined);
    for (let waited = 0; !isOver && waited < 20_000; waited++) await this.world.ledger.clock.advance(1);
    return over;
  }

  private delay(events: EventStore): void {
    const { append } = events;
    const next = () => this.times[this.calls++ % this.times.length] ?? 0;
    const { clock } = this.world.ledger;
    events.append = async (stream, added, expected) => {
      if (!/^(?:deliveries|endpoints)-/.test(stream)) return append.call(events, stream, added, expected);
      await pause(clock, next());
      const appended = await append.call(events, stream, added, expected);
      await pause(clock, next());
      return appended;
    };
  }
}
