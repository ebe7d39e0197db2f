import { Logger } from '@nestjs/common';
import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import type { DeliveryStreams } from '../delivery-streams.js';
import type { DeliveryTopics } from '../delivery-topics.js';
import type { AttemptProgress, DeliveryWorker } from './delivery.worker.js';
import type { DueDeliveries } from '../due-deliveries.js';
import { AttemptRunner } from './attempt-runner.js';

const POINTER: DeliveryPointer = {
  eventId: 'evt_1',
  deliveryId: 'whd_1',
  projectId: 'prj_1',
  endpointId: 'we_1',
  appointmentId: 'apt_1',
  attempt: 1,
  dueAt: 0,
};

let clock: FakeClock;
let counts: DeliveryCounts;
let runner: AttemptRunner;
let answer: (progress: AttemptProgress) => Promise<{ readonly status: string }>;
let told: (boolean | null)[];
let forgotten: string[];

beforeEach(() => {
  clock = new FakeClock();
  told = [];
  const worker = { attempt: (_: DeliveryPointer, progress: AttemptProgress) => answer(progress) };
  counts = new DeliveryCounts();
  forgotten = [];
  const topics = { forget: ({ deliveryId }: DeliveryPointer) => void forgotten.push(deliveryId) } as unknown as DeliveryTopics;
  runner = new AttemptRunner(worker as DeliveryWorker, {} as DueDeliveries, {} as DeliveryStreams, topics, clock, counts);
});

async function attempt(): Promise<boolean | null | undefined> {
  await runner.attempt(POINTER, { found: () => undefined, sends: () => undefined, answered: (well) => void told.push(well) });
  return told[0];
}

async function after(ms: number, status: string) {
  await clock.advance(ms);
  return { status };
}

describe('the runner of attempts', () => {
  it.each([
    [999, 'success', true],
    [1_000, 'success', false],
    [0, 'failure', false],
  ])('takes an answer of %i ms that is a %s for one that goes well, however long it takes to be stored: %s', async (...row) => {
    const [ms, verdict, well] = row;
    answer = async ({ answered }) => {
      await clock.advance(ms);
      answered(verdict === 'success');
      return after(5_000, 'succeeded');
    };
    expect(await attempt()).toBe(well);
  });

  it.each(['succeeded', 'cancelled', 'retrying'])(
    'says nothing of an endpoint that is sent nothing, the delivery being %s',
    async (status) => {
      answer = () => after(0, status);
      expect(await attempt()).toBeNull();
    },
  );

  it('leaves to the sweep what goes wrong on our side', async () => {
    answer = () => Promise.reject(new Error('the disk is full'));
    expect(await attempt()).toBe(false);
    expect(forgotten).toEqual([]);
  });

  it('lets the sweep find at once what a store could not take for a while', async () => {
    answer = () => Promise.reject(new StoreUnavailable('full'));
    expect(await attempt()).toBe(false);
    expect(forgotten).toEqual(['whd_1']);
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
    const left = (why: string) => `delivery whd_1 failed on our side and is retried by the overdue sweeper: ${why}`;
    expect(told).toEqual([left('StoreUnavailable'), left('Error'), left('Error'), 'the store is back, deliveries go on']);
  });

  it('tells the log of attempts that wait for the store when they begin to, once for all, and when they are made', async () => {
    const told: unknown[] = [];
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation((line: unknown) => void told.push(line));
    answer = async ({ waits }) => {
      waits(new StoreUnavailable('no answer in time'));
      counts.noteStored([{ type: 'DeliveryExpired', at: 1, deliveryId: 'whd_1' }]);
      return after(0, 'succeeded');
    };
    await Promise.all([attempt(), attempt()]);
    warn.mockRestore();
    expect(told).toEqual(['deliveries wait, the store is unavailable: StoreUnavailable', 'the store is back, deliveries go on']);
  });
});
