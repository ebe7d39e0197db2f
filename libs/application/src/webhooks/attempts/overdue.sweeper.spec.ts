import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import type { MessageBus, OutgoingMessage } from '@ports/message-bus.port';
import type { StoredRow } from '@ports/read-models.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeEngine } from '@testing/fake-engine';
import { fakeSettings } from '@testing/fake-settings';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { FlushRequests } from '../../read-models/flush-requests.js';
import { Shutdown } from '../../runtime/shutdown.js';
import { deliveriesProjection, pointerTo, type DeliveryRow } from '../deliveries.projection.js';
import { parsePointer, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DueDeliveries } from '../due-deliveries.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import type { AttemptSigns, AttemptWork } from './attempt-work.js';
import { OverdueSweeper } from './overdue.sweeper.js';

const NEVER = new AbortController().signal;
const HOUR = 3_600_000;

/** Receivers that answer when `answer` is called. */
class Receivers implements AttemptWork {
  readonly answered = new Set<string>();
  private asked: (() => void)[] = [];

  attempt({ deliveryId }: DeliveryPointer, { found, answered }: AttemptSigns): Promise<boolean> {
    found(null);
    const answer = (stored: (isMade: boolean) => void) => {
      this.answered.add(deliveryId);
      answered(true);
      stored(true);
    };
    return new Promise((resolve) => this.asked.push(() => answer(resolve)));
  }

  async due({ projectId }: DeliveryPointer, limit: number): Promise<readonly DeliveryPointer[]> {
    const query = { projectId, filter: [], order: 'asc', limit: made } as const;
    const rows = (await ports.readModels.page('deliveries', query)) as readonly StoredRow<DeliveryRow>[];
    return rows
      .filter(({ id }) => !this.answered.has(id))
      .slice(0, limit)
      .map(pointerTo);
  }

  readAhead(): void {}

  handBack(): void {}

  /** Answers everything asked so far; returns whether there was anything. */
  async answer(): Promise<boolean> {
    const asked = this.asked.splice(0);
    asked.forEach((answer) => answer());
    await settle();
    return asked.length > 0;
  }
}

let directory: string;
let ports: EmbeddedPorts;
let clock: FakeClock;
let scheduler: AttemptScheduler;
let published: DeliveryPointer[];
let topics: DeliveryTopics;
let sweeper: OverdueSweeper;
let made: number;
let receivers: Receivers;
/** Whether published pointers are admitted and answered before more are published. */
let admitting: boolean;
let answering: boolean;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sweep-'));
  clock = new FakeClock();
  ports = await openEmbeddedEngine(directory, clock);
  const { events, readModels } = ports;
  await readModels.define(deliveriesProjection.schema);
  scheduler = new AttemptScheduler(new Shutdown(), clock, new FakeEngine());
  published = [];
  receivers = new Receivers();
  const publish = async (_topic: string, messages: readonly OutgoingMessage[]) => {
    const pointers = messages.map(({ value }) => parsePointer(value)!);
    published.push(...pointers);
    if (admitting) pointers.forEach((pointer) => scheduler.admit(pointer, receivers, { since: -Infinity, isRevoked: false }));
    while (answering && (await receivers.answer()));
  };
  const found = new DueDeliveries(readModels, new FreshRows(events, readModels, new FlushRequests()), clock);
  topics = new DeliveryTopics({ publish } as unknown as MessageBus, fakeSettings({}), clock);
  sweeper = new OverdueSweeper(found, topics, fakeSettings(), clock);
  made = 0;
  admitting = true;
  answering = false;
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Deliveries whose pointers were lost, the first longest ago. */
async function lost(endpointId: string, count: number, changes: object = {}): Promise<void> {
  const rows = Array.from({ length: count }, (): StoredRow => {
    const n = ++made;
    const wakeAt = clock.now() - HOUR + n;
    const row = {
      eventId: 'evt_1',
      appointmentId: 'apt_1',
      endpointId,
      status: 'pending',
      attemptCount: 0,
      wakeAt,
      lostAt: wakeAt,
      waitsSince: null,
      claimedAt: null,
      retireAt: null,
      ...changes,
    };
    const position = String(n).padStart(20, '0');
    return { id: `whd_${n}`, projectId: 'p', createdAt: wakeAt, sortId: position, position, deleted: false, row };
  });
  await ports.readModels.apply('deliveries', rows, String(made).padStart(20, '0'));
}

async function sweep(): Promise<ReadonlyMap<string, number>> {
  published = [];
  await sweeper.sweep(clock.now(), NEVER);
  const counts = new Map<string, number>();
  for (const { endpointId } of published) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  return counts;
}

describe('the sweep', () => {
  it('finds what is lost behind any backlog of another endpoint', async () => {
    await lost('dead', 6_000);
    await lost('healthy', 1);
    const first = await sweep();
    expect(first.get('healthy')).toBe(1);
    expect(first.get('dead')).toBeLessThanOrEqual(1_000);
    await lost('later', 1);
    const sweeps = [await sweep(), await sweep(), await sweep(), await sweep()];
    expect(sweeps.filter((found) => found.has('later'))).toEqual([new Map([['later', 1]])]);
  });

  it('waits for rows that are behind, longer than the first does, and in the end takes them as they are', async () => {
    await sweep();
    const patient = jest.spyOn(DueDeliveries.prototype, 'areFreshAtLast').mockResolvedValue(false);
    await lost('healthy', 1);
    expect(await sweep()).toEqual(new Map([['healthy', 1]]));
    expect(patient.mock.calls).toEqual([[NEVER]]);
    patient.mockRestore();
  });

  it('goes on in later sweeps where it stopped, and begins again at the end', async () => {
    await sweep();
    await lost('dead', 2_000);
    await lost('healthy', 3);
    expect((await sweep()).has('healthy')).toBe(false);
    expect((await sweep()).get('healthy')).toBe(3);
    await lost('later', 1);
    await sweep();
    expect((await sweep()).get('later')).toBe(1);
  });

  it('goes to the end of all that is due the first time', async () => {
    await lost('dead', 20_500);
    await lost('healthy', 1);
    expect((await sweep()).get('healthy')).toBe(1);
  });

  it('looks for nothing any more once the process is to end', async () => {
    await lost('healthy', 1);
    await sweeper.sweep(clock.now(), AbortSignal.abort());
    expect(published).toEqual([]);
  });

  it('finds what is due the first time, and what is overdue from then on', async () => {
    const lostAt = clock.now() + HOUR;
    await lost('early', 1, { lostAt });
    expect(await sweep()).toEqual(new Map([['early', 1]]));
    await lost('late', 1, { lostAt });
    expect(await sweep()).toEqual(new Map());
  });

  it('looks for what is due, and not for what is overdue only, until rows show for certain what that is', async () => {
    const reached = ports.readModels.reached.bind(ports.readModels);
    ports.readModels.reached = () => Promise.resolve(false);
    expect(await sweep()).toEqual(new Map());
    ports.readModels.reached = reached;
    const lostAt = clock.now() + HOUR;
    await lost('projected late', 1, { lostAt });
    expect(await sweep()).toEqual(new Map([['projected late', 1]]));
    await lost('late', 1, { lostAt });
    expect(await sweep()).toEqual(new Map());
  });

  it('begins again with what is due first where it failed before rows showed for certain what that is', async () => {
    const reached = ports.readModels.reached.bind(ports.readModels);
    ports.readModels.reached = () => Promise.resolve(false);
    await lost('early', 1_001, { lostAt: clock.now() + HOUR });
    const due = ports.readModels.due.bind(ports.readModels);
    ports.readModels.due = (...[name, field, upTo, limit, after]) =>
      after ? Promise.reject(new Error('out of reach')) : due(name, field, upTo, limit);
    await expect(sweep()).rejects.toThrow('out of reach');
    Object.assign(ports.readModels, { reached, due });
    await lost('projected late', 1, { lostAt: clock.now() + HOUR, wakeAt: clock.now() - 2 * HOUR });
    expect((await sweep()).get('projected late')).toBe(1);
  });

  it('leaves attempts alone whose lease is not over', async () => {
    const leaseUntil = clock.now() + 20_000;
    await lost('ours', 1, { wakeAt: leaseUntil, lostAt: leaseUntil, claimedAt: clock.now() });
    expect(await sweep()).toEqual(new Map());
    await clock.advance(19_999);
    expect(await sweep()).toEqual(new Map());
    await clock.advance(1);
    expect(await sweep()).toEqual(new Map([['ours', 1]]));
  });

  /** Deliveries that are due in an hour and began to wait at a future time. */
  const waitingSince = (endpointId: string, count: number, later: number) => {
    const dueAt = clock.now() + HOUR;
    return lost(endpointId, count, { wakeAt: dueAt, lostAt: dueAt + 1_000, waitsSince: clock.now() + later });
  };

  it('finds what waits since a time that is still to come, and again after a minute', async () => {
    await waitingSince('ahead', 1_001, 2_001);
    await waitingSince('now', 1, 2_000);
    expect(await sweep()).toEqual(new Map([['ahead', 1_001]]));
    expect(new Set(published.map(({ dueAt }) => dueAt))).toEqual(new Set([0]));
    expect(await sweep()).toEqual(new Map());
    await waitingSince('ahead', 1, HOUR);
    expect(await sweep()).toEqual(new Map([['ahead', 1]]));
    await clock.advance(60_000);
    expect(await sweep()).toEqual(new Map([['ahead', 1]]));
  });

  it('finds what waits since before the clock was set back, though a pointer to it travels', async () => {
    await waitingSince('ahead', 1, 0);
    const pointer = { eventId: 'evt_1', deliveryId: `whd_${made}`, projectId: 'p', endpointId: 'ahead', appointmentId: 'apt_1' };
    await topics.publish([{ ...pointer, attempt: 1, dueAt: clock.now() }]);
    await clock.advance(1_000);
    expect(await sweep()).toEqual(new Map());
    clock.set(clock.now() - HOUR);
    expect(await sweep()).toEqual(new Map([['ahead', 1]]));
  });

  it('publishes again after ten seconds what was published and not taken up', async () => {
    await lost('healthy', 1);
    admitting = false;
    expect(await sweep()).toEqual(new Map([['healthy', 1]]));
    await clock.advance(9_000);
    expect(await sweep()).toEqual(new Map());
    await clock.advance(1_000);
    expect(await sweep()).toEqual(new Map([['healthy', 1]]));
  });

  it('publishes no attempt whose pointer this process published within the last ten seconds', async () => {
    await lost('healthy', 1);
    const pointer = { eventId: 'evt_1', deliveryId: 'whd_1', projectId: 'p', endpointId: 'healthy', appointmentId: 'apt_1' };
    admitting = false;
    await topics.publish([{ ...pointer, attempt: 1, dueAt: clock.now() }]);
    expect(await sweep()).toEqual(new Map());
    await topics.publish([{ ...pointer, attempt: 2, dueAt: clock.now() }]);
    await clock.advance(10_000);
    expect(await sweep()).toEqual(new Map([['healthy', 1]]));
  });

  it('publishes at once again what was published by a process that is to forget it', async () => {
    await lost('healthy', 1);
    await sweep();
    topics.forget(published[0]!);
    expect(await sweep()).toEqual(new Map([['healthy', 1]]));
  });

  it('offers a large backlog so that an endpoint asks for the rest by itself, however quickly it answers', async () => {
    await lost('quick', 3_000);
    answering = true;
    await sweep();
    while (await receivers.answer());
    expect(receivers.answered.size).toBe(3_000);
  });
});
