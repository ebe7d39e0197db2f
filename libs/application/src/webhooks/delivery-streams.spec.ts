import { AsyncLocalStorage } from 'node:async_hooks';
import type { DeliveryCommand } from '@domain/delivery/deliveries.decider';
import type { NewDelivery } from '@domain/delivery/delivery.events';
import { ENVELOPE, originOf } from '@testing/envelopes';
import { SCHEDULE } from '@testing/delivery-world';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeIds } from '@testing/fake-ids';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { DeliveryCounts } from './delivery-counts.js';
import type { DeliveryLogger } from './delivery-logger.js';
import { DeliveryStreams, type ClaimDelivery } from './delivery-streams.js';

const MIB = 1024 * 1024;
const EVENT_ID = 'evt_1';

let clock: FakeClock;
let store: FakeEventStore;
const SILENT = { noteStored: () => undefined } as unknown as DeliveryLogger;
let streams: DeliveryStreams;
let counts: DeliveryCounts;
/** Bytes of each append. */
let appends: number[];
beforeEach(() => {
  clock = new FakeClock();
  store = new FakeEventStore();
  counts = new DeliveryCounts();
  streams = new DeliveryStreams(
    new StreamRunner(store, new StreamCache(store), clock, new FakeIds(clock)),
    store,
    counts,
    SILENT,
  );
  appends = [];
  const append = store.append.bind(store);
  store.append = (stream, events, expected) => {
    appends.push(Buffer.byteLength(JSON.stringify(events.map(({ id, event }) => ({ id, event })))));
    return append(stream, events, expected);
  };
});

async function frozen(deliveryIds: readonly string[]): Promise<void> {
  const at = clock.now();
  const of = { url: 'https://a.example', trigger: 'event', replayOf: null, dueAt: at, overdueAt: at, maxAttempts: 9 } as const;
  const deliveries = deliveryIds.map((deliveryId): NewDelivery => ({ deliveryId, endpointId: `we_${deliveryId}`, ...of }));
  const about = { projectId: 'prj', eventType: 'appointment.created', appointmentId: 'apt', emittedAt: at, test: false };
  await streams.freeze({ type: 'FreezeEvent', at, event: { eventId: EVENT_ID, body: '{}', ...about }, deliveries }, ENVELOPE);
}

const claim = (deliveryId: string) => claimFor(`we_${deliveryId}`, deliveryId);

function claimFor(endpointId: string, deliveryId: string): DeliveryCommand {
  const lease = { unacknowledged: [], leaseMs: 20_000, voidBefore: 0, url: 'https://a.example' };
  const endpoint = { obstacle: null, isPaused: false, disablings: 0 };
  const about = { projectId: 'prj', endpointId, appointmentId: 'apt' };
  const attempt = { attemptId: `att_${deliveryId}`, schedule: SCHEDULE };
  return { type: 'ClaimDelivery', at: clock.now(), deliveryId, about, ...attempt, ...lease, ...endpoint };
}

const ENDPOINT = { obstacle: null, isPaused: false, disablings: 0, disableOnGone: false };

function outcome(deliveryId: string, body: string, status = 200): DeliveryCommand {
  const at = clock.now();
  const answer = { status, headers: {}, body, bodyTruncated: true, errorCode: null, remoteIp: null };
  const result = { attemptId: `att_${deliveryId}`, attempt: 1, startedAt: at, durationMs: 5, ...answer };
  return { type: 'RecordOutcome', at, deliveryId, result, ...ENDPOINT, schedule: SCHEDULE, chance: 0 };
}

const submitAll = (commands: readonly DeliveryCommand[]) =>
  Promise.all(commands.map((command) => streams.submit(EVENT_ID, command, ENVELOPE)));

describe('a claim that waited behind slow appends while another process was faster', () => {
  const late = async (then: () => Promise<unknown>) => {
    await frozen(['whd_1']);
    const waiting = { ...claim('whd_1'), attemptId: 'att_late' } as DeliveryCommand;
    await clock.advance(1_500);
    await submitAll([claim('whd_1')]);
    await then();
    return (await streams.submit(EVENT_ID, waiting, ENVELOPE)).events;
  };

  it('leaves the attempt alone that is under way', async () => {
    expect(await late(() => Promise.resolve())).toEqual([]);
  });

  it('makes the next attempt no sooner than it is due', async () => {
    expect(await late(() => submitAll([outcome('whd_1', '', 500)]))).toEqual([]);
  });
});

describe('commands for one event', () => {
  const ids = Array.from({ length: 60 }, (_, n) => `whd_${n}`);

  it('share an append while another is under way', async () => {
    await frozen(ids);
    await submitAll(ids.map(claim));
    expect(appends).toHaveLength(3);
  });

  it('are taken alone when they are larger than what is put together', async () => {
    await frozen(ids.slice(0, 2));
    await submitAll(ids.slice(0, 2).map(claim));
    await submitAll([outcome('whd_0', 'x'.repeat(MIB)), outcome('whd_1', 'x')]);
    const { deliveries } = await streams.load(EVENT_ID);
    expect(deliveries.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  it('are counted with what caused them', async () => {
    await frozen(ids.slice(0, 3));
    await submitAll(ids.slice(0, 3).map(claim));
    const before = appends.length;
    const caused = { $correlationId: 'x'.repeat(MIB / 3) };
    await Promise.all(ids.slice(0, 3).map((id) => streams.submit(EVENT_ID, outcome(id, ''), { ...caused })));
    expect(appends).toHaveLength(before + 3);
  });

  it('know all that happened however long its story is, and read it part by part', async () => {
    await frozen(['whd_0']);
    const of = {
      endpointId: 'we_whd_0',
      url: 'https://a.example',
      trigger: 'replay',
      replayOf: 'whd_0',
      maxAttempts: 9,
    } as const;
    for (let n = 1; n <= 600; n++) {
      const at = clock.now();
      const replay: NewDelivery = { deliveryId: `whd_${n}`, dueAt: at, overdueAt: at, ...of };
      await streams.run(EVENT_ID, { type: 'ReplayDelivery', at, deliveryId: 'whd_0', replay }, originOf(`replay-${n}`));
    }
    const cold = new DeliveryStreams(
      new StreamRunner(store, new StreamCache(store), clock, new FakeIds(clock)),
      store,
      counts,
      SILENT,
    );
    const reads = jest.spyOn(store, 'read');
    const { events } = await cold.submit(EVENT_ID, claimFor('we_whd_0', 'whd_600'), ENVELOPE);
    expect(events.map(({ type }) => type)).toEqual(['DeliveryClaimed']);
    for (const [, options] of reads.mock.calls) expect(options?.limit).toBeLessThanOrEqual(1_000);
  });

  it('fail with those they share an append with, and with no other', async () => {
    await frozen(ids.slice(0, 2));
    const append = store.append.bind(store);
    store.append = () => {
      store.append = append;
      return Promise.reject(new Error('the disk is full'));
    };
    const outcomes = await Promise.allSettled(ids.slice(0, 2).map((id) => streams.submit(EVENT_ID, claim(id), ENVELOPE)));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('are spread over several appends, in order, rather than be more than a store takes at once', async () => {
    await frozen(ids);
    await submitAll(ids.map(claim));
    await submitAll(ids.map((id) => outcome(id, '\u0001'.repeat(16 * 1024))));
    expect(Math.max(...appends)).toBeLessThan(MIB);
    expect(appends.length).toBeLessThan(3 + 20);
    const { deliveries } = await streams.load(EVENT_ID);
    expect(deliveries.map(({ status }) => status)).toEqual(ids.map(() => 'succeeded'));
    const recorded = store.log.flatMap(({ event }) => (event.type === 'DeliverySucceeded' ? [event] : []));
    expect(recorded).toMatchObject(ids.map((deliveryId) => ({ deliveryId })));
  });

  it('that may be refused have their turn between the others, and an append of their own', async () => {
    await frozen(ids);
    const at = clock.now();
    const of = { url: 'https://a.example', trigger: 'replay', replayOf: null, dueAt: at, overdueAt: at, maxAttempts: 9 } as const;
    const replay = { deliveryId: 'whd_replay', endpointId: 'we_whd_0', ...of };
    const [, replayed, refused] = await Promise.allSettled([
      submitAll(ids.slice(0, 30).map(claim)),
      streams.run(EVENT_ID, { type: 'ReplayDelivery', at, deliveryId: 'whd_59', replay }, originOf('a request')),
      streams.run(EVENT_ID, { type: 'ReplayDelivery', at, deliveryId: 'whd_none', replay }, originOf('another')),
      submitAll(ids.slice(30).map(claim)),
    ]);
    expect([replayed.status, refused.status]).toEqual(['fulfilled', 'rejected']);
    expect(appends).toHaveLength(1 + 2 + 1 + 1);
    expect((await streams.load(EVENT_ID)).deliveries.filter(({ status }) => status === 'delivering')).toHaveLength(59);
  });
});

describe('an event that is read ahead', () => {
  const processStarted = () =>
    new DeliveryStreams(new StreamRunner(store, new StreamCache(store), clock, new FakeIds(clock)), store, counts, SILENT);

  it('is read once, be it claimed meanwhile or later, its bytes included', async () => {
    await frozen(['whd_0']);
    const cold = processStarted();
    store.reads.length = 0;
    cold.readAhead([EVENT_ID]);
    cold.readAhead([EVENT_ID]);
    const { events } = await cold.submit(EVENT_ID, claim('whd_0'), ENVELOPE);
    cold.readAhead([EVENT_ID]);
    expect(events.map(({ type }) => type)).toEqual(['DeliveryClaimed']);
    expect(await cold.frozen(EVENT_ID)).toMatchObject({ body: '{}' });
    expect(store.reads).toHaveLength(1);
  });

  it('and cannot be read then is read by who claims it', async () => {
    await frozen(['whd_0']);
    const cold = processStarted();
    jest.spyOn(store, 'read').mockRejectedValueOnce(new Error('out of reach'));
    cold.readAhead([EVENT_ID]);
    await settle();
    const { events } = await cold.submit(EVENT_ID, claim('whd_0'), ENVELOPE);
    expect(events.map(({ type }) => type)).toEqual(['DeliveryClaimed']);
  });
});

describe('how deliveries end', () => {
  const ends = async (commands: readonly DeliveryCommand[]) => {
    await submitAll(commands);
    return counts.endedByStatus;
  };

  it('is counted once each, when it is stored', async () => {
    await frozen(['whd_0', 'whd_1', 'whd_2', 'whd_3']);
    const begun = ['whd_0', 'whd_1', 'whd_3'].map(claim);
    expect(await ends(begun)).toEqual({ succeeded: 0, failed: 0, cancelled: 0 });
    const cancel = { type: 'CancelDelivery', at: clock.now(), deliveryId: 'whd_2', reason: 'endpoint_deleted' } as const;
    const outcomes = [outcome('whd_0', ''), outcome('whd_1', '', 410), cancel, outcome('whd_3', '', 503)];
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new Error('the disk is full'));
    await expect(ends(outcomes)).rejects.toThrow('the disk is full');
    store.append = append;
    expect(await ends(outcomes)).toEqual({ succeeded: 1, failed: 1, cancelled: 1 });
    expect(await ends([...outcomes, claim('whd_0')])).toEqual({ succeeded: 1, failed: 1, cancelled: 1 });
  });
});

describe('deliveries of an event that was replayed again and again', () => {
  it('are read back no further than to the oldest of those asked for', async () => {
    await frozen(['whd_0']);
    await submitAll([claim('whd_0')]);
    await submitAll([outcome('whd_0', 'x')]);
    const at = clock.now();
    for (let n = 1; n <= 1_000; n++) {
      const of = {
        url: 'https://a.example',
        trigger: 'replay',
        replayOf: 'whd_0',
        dueAt: at,
        overdueAt: at,
        maxAttempts: 9,
      } as const;
      const replay = { deliveryId: `whd_${n}`, endpointId: 'we_whd_0', ...of };
      await streams.run(EVENT_ID, { type: 'ReplayDelivery', at, deliveryId: 'whd_0', replay }, originOf(`replay ${n}`));
    }
    await submitAll([claimFor('we_whd_0', 'whd_999')]);
    await submitAll([outcome('whd_999', 'y')]);
    const { event } = await streams.load(EVENT_ID);
    const read = jest.spyOn(store, 'read');
    const found = await streams.views(event!, ['whd_1000', 'whd_999']);
    expect(found.map(({ id, status, attempts }) => [id, status, attempts.map(({ body }) => body)])).toEqual([
      ['whd_1000', 'pending', []],
      ['whd_999', 'succeeded', ['y']],
    ]);
    const met = await Promise.all(read.mock.results.map(({ value }) => value as Promise<readonly unknown[]>));
    expect(met.flat().length).toBeLessThanOrEqual(200);
  });
});

describe('commands for one event that come together', () => {
  it("are prepared and appended in async contexts of their own: the first that shares an append is the append's", async () => {
    await frozen(['whd_1', 'whd_2', 'whd_3']);
    const attempt = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    const note = (what: string) => void contexts.push([what, attempt.getStore()]);
    const append = store.append.bind(store);
    store.append = (...batch) => {
      note('append');
      return append(...batch);
    };
    const submit = (deliveryId: string) =>
      attempt.run(deliveryId, async () => {
        const prepare = () => {
          note(deliveryId);
          return Promise.resolve(claim(deliveryId) as ClaimDelivery);
        };
        await streams.submit(EVENT_ID, prepare, ENVELOPE);
        note(deliveryId);
      });
    await Promise.all(['whd_1', 'whd_2', 'whd_3'].map(submit));
    const own = (deliveryId: string) => [deliveryId, deliveryId];
    expect(contexts).toEqual([
      own('whd_1'),
      ['append', 'whd_1'],
      own('whd_1'),
      own('whd_2'),
      own('whd_3'),
      ['append', 'whd_2'],
      own('whd_2'),
      own('whd_3'),
    ]);
  });
});
