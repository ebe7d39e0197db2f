import { Logger } from '@nestjs/common';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { Shutdown } from '../shutdown.js';
import { AttemptSteps } from './attempt-steps.js';
import { DeliveryConsumer } from './delivery.consumer.js';
import { DeliveryCounts } from './delivery-counts.js';
import type { DeliveryPointer } from './delivery-pointer.js';
import type { DeliveryWorker } from './delivery.worker.js';
import type { DueDeliveries } from './due-deliveries.js';
import { EndpointShares } from './endpoint-shares.js';

const FIRST_WAIT_MS = 2;
const settings = fakeSettings({ retrySchedule: { waits: [FIRST_WAIT_MS, 5_000], mode: 'gap', jitter: 0 } });

let clock: FakeClock;
let counts: DeliveryCounts;
let consumer: DeliveryConsumer;
let answer: (answered: (succeeded: boolean) => void) => Promise<{ readonly status: string }>;
let told: boolean[];

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  const worker = { attempt: (_: DeliveryPointer, answered: (succeeded: boolean) => void) => answer(answered) };
  const shares = new EndpointShares(new Shutdown());
  counts = new DeliveryCounts();
  consumer = new DeliveryConsumer(
    worker as DeliveryWorker,
    shares,
    {} as DueDeliveries,
    new AttemptSteps(),
    settings,
    clock,
    counts,
  );
});

const pointer = (): DeliveryPointer => ({
  eventId: 'evt_1',
  deliveryId: 'whd_1',
  projectId: 'prj_1',
  endpointId: 'we_1',
  appointmentId: 'apt_1',
  attempt: 1,
  dueAt: clock.now(),
});

async function attempt(): Promise<boolean | undefined> {
  await consumer.attempt(pointer(), (well) => void told.push(well));
  return told[0];
}

async function after(ms: number, status: string) {
  await clock.advance(ms);
  return { status };
}

describe('the consumer of deliveries', () => {
  it('lets pass what nobody of us can have published, and counts it', () => {
    expect(['{', 'null', '{"eventId":"evt_1"}', 7].map((value) => consumer.onPointer(value).kind)).toEqual(
      Array(4).fill('accepted'),
    );
    expect(counts.unreadable).toBe(4);
  });

  it('holds back what is not due, and takes it at the millisecond it is', () => {
    answer = () => after(0, 'succeeded');
    const due = clock.now() + 1;
    expect(consumer.onPointer(JSON.stringify({ ...pointer(), dueAt: due }))).toEqual({ kind: 'held', until: due });
    expect(consumer.onPointer(JSON.stringify(pointer())).kind).toBe('accepted');
  });

  it('holds up nobody behind a first attempt that is further ahead than the schedule says: the clock was set back', () => {
    answer = () => after(0, 'succeeded');
    const at = (dueAt: number, attempt: number) => consumer.onPointer(JSON.stringify({ ...pointer(), dueAt, attempt })).kind;
    const [due, ahead] = [clock.now() + FIRST_WAIT_MS, clock.now() + FIRST_WAIT_MS + 1];
    expect([at(due, 1), at(ahead, 2), at(ahead, 1)]).toEqual(['held', 'held', 'accepted']);
  });

  it.each([
    [999, 'succeeded', true],
    [1_000, 'succeeded', false],
    [0, 'retrying', false],
  ])('takes an attempt of %i ms that %s for one that goes well: %s', async (ms, status, well) => {
    answer = () => after(ms, status);
    expect(await attempt()).toBe(well);
  });

  it.each([
    [999, true],
    [1_000, false],
  ])('takes an answer after %i ms for one that goes well, however long it takes to be stored: %s', async (ms, well) => {
    answer = async (answered) => {
      await clock.advance(ms);
      answered(true);
      return after(5_000, 'succeeded');
    };
    expect(await attempt()).toBe(well);
  });

  it('leaves to the sweep what goes wrong on our side', async () => {
    answer = () => Promise.reject(new Error('the disk is full'));
    expect(await attempt()).toBe(false);
  });

  it('tells the log once a minute of a store that takes nothing, and of its end once it takes something, but of every delivery that fails otherwise', async () => {
    const told: unknown[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void told.push(line));
    for (const error of [new StoreUnavailable('full'), new StoreUnavailable('full'), new Error('odd'), new Error('odd')]) {
      answer = () => Promise.reject(error);
      await attempt();
    }
    answer = () => after(0, 'succeeded');
    await attempt();
    expect(told).toHaveLength(3);
    counts.noteStored([{ type: 'DeliveryExpired', at: 1, deliveryId: 'whd_1' }]);
    await attempt();
    warn.mockRestore();
    const left = (why: string) => `delivery whd_1 was left to the sweep: ${why}`;
    expect(told).toEqual([left('StoreUnavailable'), left('Error'), left('Error'), 'deliveries are made again']);
  });
});
