import { type Engine, EVER } from '@ports/engine.port';
import type { MessageBus, OutgoingMessage } from '@ports/message-bus.port';
import type { DueKey } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { FakeEngine } from '@testing/fake-engine';
import { Shutdown } from '../../runtime/shutdown.js';
import { parsePointer, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import type { DueDeliveries } from '../due-deliveries.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import type { AttemptWork } from './attempt-work.js';
import { OrphanedClaimsSweeper } from './orphaned-claims.sweeper.js';

const ASSIGNMENT = { since: -Infinity, isRevoked: false };
const NEVER = new AbortController().signal;
const WORK: AttemptWork = {
  attempt: () => new Promise(() => undefined),
  due: () => Promise.resolve([]),
  readAhead: () => undefined,
  handBack: () => undefined,
};

let clock: FakeClock;
let scheduler: AttemptScheduler;
let sweeper: OrphanedClaimsSweeper;
/** On an engine that other processes share. */
let beside: OrphanedClaimsSweeper;
let claimed: DeliveryPointer[];
let published: DeliveryPointer[];
let areFresh: boolean;
/** Whether published pointers are admitted at once. */
let admitting: boolean;

beforeEach(() => {
  clock = new FakeClock();
  scheduler = new AttemptScheduler(new Shutdown(), clock, new FakeEngine());
  [claimed, published, areFresh, admitting] = [[], [], true, true];
  const publish = (topic: string, messages: readonly OutgoingMessage[]) => {
    expect(topic).toBe('webhook-deliveries');
    published.push(...messages.map(({ value }) => parsePointer(value)!));
    if (admitting) published.forEach((pointer) => scheduler.admit(pointer, WORK, ASSIGNMENT));
    return Promise.resolve();
  };
  const dueBy = (field: string, upTo: number, limit: number, after: DueKey | null) => {
    expect([field, upTo]).toEqual(['claimedAt', EVER]);
    const from = after?.value ?? 0;
    const next = from + limit < claimed.length ? { value: from + limit, id: '' } : null;
    return Promise.resolve({ pointers: claimed.slice(from, from + limit), next });
  };
  const found = { dueBy, areFresh: () => Promise.resolve(areFresh) } as unknown as DueDeliveries;
  const topics = new DeliveryTopics({ publish } as unknown as MessageBus, fakeSettings(), clock);
  const sweeperOn = (engine: Engine) => new OrphanedClaimsSweeper(found, topics, scheduler, engine, fakeSettings());
  [sweeper, beside] = [sweeperOn(new FakeEngine('one')), sweeperOn(new FakeEngine('several'))];
});

function claims(count: number): readonly DeliveryPointer[] {
  const about = { eventId: 'evt_1', projectId: 'prj_1', appointmentId: 'apt_1', attempt: 2, dueAt: 9e12 };
  const made = Array.from({ length: count }, (_, n) => {
    return { ...about, endpointId: `we_${n % 3}`, deliveryId: `whd_${claimed.length + n}` };
  });
  claimed.push(...made);
  return made;
}

async function sweep(): Promise<number> {
  published = [];
  await sweeper.sweep(clock.now(), NEVER);
  return published.length;
}

describe('the sweep of orphaned claims', () => {
  it('publishes all that was claimed before this process began, however much, and each minute again until it is in hand', async () => {
    claims(1_500);
    admitting = false;
    for (const _ of [1, 2]) {
      expect(await sweep()).toBe(1_500);
      expect(new Set(published.map(({ dueAt }) => dueAt))).toEqual(new Set([0]));
      expect(await sweep()).toBe(0);
      await clock.advance(60_000);
    }
    admitting = true;
    expect(await sweep()).toBe(1_500);
    await clock.advance(60_000);
    expect(await sweep()).toBe(0);
  });

  it('leaves alone what this process has claimed itself', async () => {
    claims(2).forEach((pointer) => scheduler.admit(pointer, WORK, ASSIGNMENT));
    claims(1);
    expect(await sweep()).toBe(1);
    expect(published.map(({ deliveryId }) => deliveryId)).toEqual(['whd_2']);
  });

  it('is over once rows show for certain that there are none', async () => {
    areFresh = false;
    expect(await sweep()).toBe(0);
    areFresh = true;
    claims(1);
    expect(await sweep()).toBe(1);
    expect(await sweep()).toBe(0);
    claims(1);
    expect(await sweep()).toBe(0);
  });

  it('goes on no longer once the process is to end, and is not over then', async () => {
    claims(1_500);
    await sweeper.sweep(clock.now(), AbortSignal.abort());
    expect(published).toHaveLength(1_000);
    expect(await sweep()).toBe(500);
  });

  it('leaves claims to their leases where other processes may hold them', async () => {
    claims(3);
    await beside.sweep(clock.now(), NEVER);
    expect(published).toEqual([]);
  });
});
