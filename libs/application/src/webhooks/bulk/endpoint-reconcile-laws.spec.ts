import fc from 'fast-check';
import { isFinished } from '@domain/delivery/delivery';
import type { Task } from '@domain/task/task';
import { DeliveryWorld } from '@testing/delivery-world';
import { dieAfter } from '@testing/dying-process';
import { EndpointWorkWorld } from '@testing/endpoint-work';
import { answered, timedOut } from '@testing/fake-sender';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import type { EndpointWork } from './bulk.commands.js';
import type { EventTime } from './endpoint-parameters.js';

const EPOCH = '1970-01-01T00:00:00.000Z';
const SECOND_ATTEMPTS_WITHIN_MS = 10_000;

let world: DeliveryWorld;
let work: EndpointWorkWorld;

async function begin(): Promise<void> {
  world = await DeliveryWorld.withTasks();
}

async function register(): Promise<void> {
  work = new EndpointWorkWorld(world, (await world.register()).endpoint.id);
}

const manner = { per_second: 500, dry_run: false } as const;
const reconcile = (received: readonly string[], time: EventTime = { since: EPOCH, until: work.now() }) =>
  work.done({ kind: 'endpoint.reconcile', parameters: { ...time, ...manner }, received });
const told = ({ progress }: Task) => ({ created: progress?.created, ...progress?.details });

describe('a receiver that forgets 1 % of many events at random', () => {
  const EVENTS = 600;
  const SLICES = 4;
  beforeEach(begin);
  afterEach(() => world.close());

  it('is told by a reconciliation in slices of time exactly those, gets them, and misses none afterwards', async () => {
    await register();
    for (let number = 0; number < EVENTS; number++) {
      await world.ledger.book({ startsAt: NINE_ON_MONDAY + number * HALF_HOUR });
      world.ledger.clock.set(world.ledger.clock.now() + 1_000);
    }
    await world.quiet();
    const all = world.sender.sent.map(({ body }) => JSON.parse(body) as { id: string; created_at: string });
    expect(all).toHaveLength(EVENTS);
    const forgotten = new Set(fc.sample(fc.shuffledSubarray(all, { minLength: 6, maxLength: 6 }), 1)[0]?.map(({ id }) => id));
    const times = all.map(({ created_at: at }) => Date.parse(at));
    const [first, width] = [times[0]!, Math.ceil((times.at(-1)! + 1 - times[0]!) / SLICES)];
    const inSlices = async () => {
      let missing = 0;
      for (let slice = 0; slice < SLICES; slice++) {
        const [since, until] = [first + slice * width, first + (slice + 1) * width].map((at) => new Date(at).toISOString());
        const own = all.filter(({ created_at: at }) => at >= since! && at < until!).map(({ id }) => id);
        const task = await reconcile(
          own.filter((id) => !forgotten.has(id)),
          { since: since!, until: until! },
        );
        expect(told(task)).toMatchObject({ expected: own.length, unknown: { count: 0 } });
        missing += Number(task.progress?.details['missing']);
      }
      return missing;
    };
    const before = world.sender.sent.length;
    expect(await inSlices()).toBe(forgotten.size);
    const sent = work.sentSince(before);
    expect(sent.toSorted()).toEqual([...forgotten].toSorted());
    forgotten.clear();
    expect(await inSlices()).toBe(0);
    expect(work.sentSince(before)).toHaveLength(sent.length);
  });
});

const ANSWERS = { taken: () => answered(200), refused: () => answered(404), missed: () => timedOut(0) } as const;

type Step =
  | {
      readonly kind: 'event';
      readonly appointment: number;
      readonly answer: keyof typeof ANSWERS;
      readonly isForgotten: boolean;
    }
  | { readonly kind: 'disabled' | 'enabled' }
  | { readonly kind: 'filters'; readonly filters: readonly string[] };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('event' as const),
    appointment: fc.nat(2),
    answer: fc.constantFrom<keyof typeof ANSWERS>('taken', 'taken', 'refused', 'missed'),
    isForgotten: fc.boolean(),
  }),
  fc.record({ kind: fc.constantFrom('disabled' as const, 'enabled' as const) }),
  fc.record({ kind: fc.constant('filters' as const), filters: fc.constantFrom([], ['appointment.created']) }),
);

/** What happened to the receiver of an endpoint, told from outside. */
class History {
  private readonly booked = new Map<number, string>();
  private readonly happened: { readonly id: string; readonly type: string; readonly isEarly: boolean }[] = [];
  private readonly forgotten = new Set<string>();
  private filters: readonly string[] = [];

  async step(step: Step, isRegistered: boolean): Promise<void> {
    if (step.kind === 'event') return this.event(step, isRegistered);
    if (!isRegistered) return;
    if (step.kind === 'filters') ({ filters: this.filters } = step);
    await work.change(step.kind === 'filters' ? { filters: step.filters } : { status: step.kind });
  }

  private async event({ appointment, answer, isForgotten }: Extract<Step, { kind: 'event' }>, isRegistered: boolean) {
    world.sender.answer = ANSWERS[answer];
    const startsAt = NINE_ON_MONDAY + (this.happened.length + 1) * HALF_HOUR;
    const id = this.booked.get(appointment);
    const move = { type: 'RescheduleAppointment', mode: 'in_place', confirm: false, startsAt, endsAt: null } as const;
    if (id === undefined) this.booked.set(appointment, (await world.ledger.book({ startsAt })).appointment.id);
    else await world.ledger.change(id, move);
    await world.elapse(1);
    const { id: eventId, body } = (await world.events()).items.at(-1)!;
    this.happened.push({ id: eventId, type: (JSON.parse(body) as { type: string }).type, isEarly: !isRegistered });
    if (isForgotten) this.forgotten.add(eventId);
  }

  /** By what the endpoint was to get, and what its receiver has. */
  async difference() {
    const passes = (type: string) => this.filters.length === 0 || this.filters.includes(type);
    const expected = this.happened.flatMap(({ id, type, isEarly }) => (!isEarly && passes(type) ? [id] : []));
    const [received, open]: [string[], string[]] = [[], []];
    for (const { id } of this.happened) {
      const deliveries = await world.deliveries(id);
      if (deliveries.some(({ status }) => status === 'succeeded') && !this.forgotten.has(id)) received.push(id);
      if (!deliveries.every(isFinished)) open.push(id);
    }
    const missing = expected.filter((id) => !received.includes(id) && !open.includes(id));
    const unknown = received.filter((id) => !expected.includes(id));
    return { expected, received, open, missing, unknown };
  }
}

describe('a reconciliation after any history', () => {
  it('sends exactly the difference, and finds none afterwards', async () => {
    const any = { steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }), registeredBefore: fc.nat(8) };
    const law = fc.asyncProperty(fc.record(any), async ({ steps, registeredBefore }) => {
      await begin();
      try {
        const history = new History();
        for (const step of steps.slice(0, registeredBefore)) await history.step(step, false);
        await register();
        for (const step of steps.slice(registeredBefore)) await history.step(step, true);
        await work.change({ status: 'enabled' });
        world.sender.answer = ANSWERS.taken;
        const { expected, received, open, missing, unknown } = await history.difference();
        const before = world.sender.sent.length;
        const counts = { expected: expected.length, missing: missing.length, unknown: { count: unknown.length, ids: unknown } };
        expect(told(await reconcile(received))).toEqual({ ...counts, created: missing.length });
        await world.elapse(SECOND_ATTEMPTS_WITHIN_MS, SECOND_ATTEMPTS_WITHIN_MS / 2);
        const sent = work.sentSince(before);
        expect(sent.filter((id) => !open.includes(id))).toEqual(missing);
        expect(told(await reconcile([...received, ...sent]))).toMatchObject({ missing: 0, created: 0 });
      } finally {
        await world.close();
      }
    });
    await fc.assert(law, { numRuns: 15 });
  });
});

describe('a task about an endpoint, whose process is killed at any of its steps', () => {
  const time = { since: EPOCH, ...manner };
  const WORK: Readonly<Record<string, () => EndpointWork>> = {
    recover: () => ({ kind: 'endpoint.recover', parameters: { ...time, mode: 'all' } }),
    missing: () => ({ kind: 'endpoint.replay_missing', parameters: { ...time, mode: 'all' } }),
    latest: () => ({ kind: 'endpoint.replay_missing', parameters: { ...time, mode: 'latest' } }),
    reconcile: () => ({ kind: 'endpoint.reconcile', parameters: { ...time, until: work.now() }, received: [] }),
  };

  const any = fc.record({
    failed: fc.nat(3),
    dark: fc.nat(3),
    kills: fc.array(fc.record({ appends: fc.nat(8), isStored: fc.boolean() }), { minLength: 1, maxLength: 2 }),
    name: fc.constantFrom(...Object.keys(WORK)),
  });

  it('makes exactly one fresh delivery of each event that it is about, counts it once, and none is missing', async () => {
    const law = fc.asyncProperty(any, async ({ failed, dark, kills, name }) => {
      await begin();
      try {
        await register();
        world.sender.answer = ANSWERS.refused;
        const refused = await work.emit(failed);
        await work.change({ status: 'disabled' });
        const unsent = await work.emit(dark);
        await work.change({ status: 'enabled' });
        world.sender.answer = ANSWERS.taken;
        const task = await world.bulk.open(work.endpointId, WORK[name]!());
        for (const { appends, isStored } of kills) {
          dieAfter(world, appends, isStored);
          await world.elapse(1_500, 250);
          world = await world.killed();
          await world.working({ sweepers: [world.overdue, world.orphaned] });
        }
        await world.elapse(12_000, 500);
        const { status, progress } = await world.bulk.tasks.load(LEDGER_PROJECT, task.id);
        const wanted = [...(name === 'recover' ? [] : unsent), ...(['recover', 'reconcile'].includes(name) ? refused : [])];
        for (const eventId of [...refused, ...unsent]) {
          const fresh = (await world.deliveries(eventId)).filter(({ trigger }) => trigger === 'bulk_replay');
          expect(fresh.map((each) => each.status)).toEqual(wanted.includes(eventId) ? ['succeeded'] : []);
        }
        expect([status, progress?.created, progress?.matched]).toEqual(['completed', wanted.length, wanted.length]);
        if (name === 'reconcile') expect(progress?.details).toMatchObject({ expected: failed + dark, missing: wanted.length });
      } finally {
        await world.close();
      }
    });
    await fc.assert(law, { numRuns: 15 });
  });
});
