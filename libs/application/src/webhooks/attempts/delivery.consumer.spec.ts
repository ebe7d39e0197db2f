import type { MessageBus, OutgoingMessage } from '@ports/message-bus.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeEngine } from '@testing/fake-engine';
import { fakeSettings } from '@testing/fake-settings';
import { Shutdown } from '../../runtime/shutdown.js';
import { DeliveryConsumer } from './delivery.consumer.js';
import { DeliveryCounts } from '../delivery-counts.js';
import { parsePointer, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import type { AttemptRunner } from './attempt-runner.js';

const settings = fakeSettings({ retrySchedule: { waits: [0, 5_000], mode: 'gap', jitter: 0 } });
const PLACE = { partition: 0, offset: '0', assignment: { since: -Infinity, isRevoked: false } };
const FIRST = { topic: 'webhook-deliveries', ...PLACE };
const TIER = { topic: 'webhook-deliveries.retry.5s', ...PLACE };

let clock: FakeClock;
let counts: DeliveryCounts;
let consumer: DeliveryConsumer;
/** Ids of the deliveries whose attempts began. */
let begun: string[];
/** What was published, by topic. */
let published: { readonly topic: string; readonly pointers: readonly DeliveryPointer[] }[];
let stored: Promise<void>;

beforeEach(() => {
  clock = new FakeClock();
  [begun, published, stored] = [[], [], Promise.resolve()];
  const attempt = ({ deliveryId }: DeliveryPointer) => Promise.resolve(void begun.push(deliveryId));
  const attempts = { attempt } as unknown as AttemptRunner;
  counts = new DeliveryCounts();
  const publish = (topic: string, messages: readonly OutgoingMessage[]) => {
    published.push({ topic, pointers: messages.map(({ value }) => parsePointer(value)!) });
    return stored;
  };
  const topics = new DeliveryTopics({ publish } as unknown as MessageBus, settings, clock);
  const scheduler = new AttemptScheduler(new Shutdown(), clock, new FakeEngine());
  consumer = new DeliveryConsumer(attempts, scheduler, topics, settings, clock, counts);
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

describe('the consumer of deliveries', () => {
  it('lets pass what nobody of us can have published, and counts it', () => {
    expect(['{', 'null', '{"eventId":"evt_1"}', 7].map((value) => consumer.onPointer(value, FIRST).kind)).toEqual(
      Array(4).fill('accepted'),
    );
    expect(counts.unreadable).toBe(4);
  });

  it('lets pass a pointer with another kind of value where the time of its publication is', () => {
    for (const publishedAt of ['1', null, []]) {
      expect(consumer.onPointer(JSON.stringify({ ...pointer(), publishedAt }), FIRST).kind).toBe('accepted');
    }
    expect(counts.unreadable).toBe(3);
  });

  it('reads a pointer of an earlier version, which has no correlation id, and lets pass one with another kind of value there', () => {
    const read = (correlationId: unknown) => consumer.onPointer(JSON.stringify({ ...pointer(), correlationId }), FIRST).kind;
    expect([read(undefined), read('cor_1')]).toEqual(['accepted', 'accepted']);
    expect(counts.unreadable).toBe(0);
    for (const wrong of [null, 1, []]) expect(read(wrong)).toBe('accepted');
    expect(counts.unreadable).toBe(3);
  });

  it('reads a pointer of a later version that says whether it is part of work in bulk, and lets pass one with another kind of value there', () => {
    const read = (bulk: unknown) => consumer.onPointer(JSON.stringify({ ...pointer(), bulk }), FIRST).kind;
    for (const bulk of [undefined, true, false]) expect(read(bulk)).toBe('accepted');
    expect(counts.unreadable).toBe(0);
    for (const wrong of [null, 1, 'true']) expect(read(wrong)).toBe('accepted');
    expect(counts.unreadable).toBe(3);
  });

  it.each(['eventId', 'deliveryId', 'projectId', 'endpointId', 'appointmentId', 'attempt', 'dueAt'])(
    'lets pass a pointer without its %s, or with another kind of value there',
    (name) => {
      const damaged = [{ [name]: undefined }, { [name]: null }, { [name]: [] }].map((wrong) => ({ ...pointer(), ...wrong }));
      for (const each of damaged) expect(consumer.onPointer(JSON.stringify(each), FIRST).kind).toBe('accepted');
      expect(counts.unreadable).toBe(3);
    },
  );

  it('holds back what is not due in its tier, and takes it at the millisecond it is', async () => {
    const [due, publishedAt] = [clock.now() + 5_000, clock.now()];
    const retry = JSON.stringify({ ...pointer(), attempt: 2, dueAt: due, publishedAt });
    await clock.advance(4_999);
    expect(consumer.onPointer(retry, TIER)).toEqual({ kind: 'held', until: due });
    await clock.advance(1);
    expect(consumer.onPointer(retry, TIER).kind).toBe('accepted');
  });

  it('makes attempts from the first topic alone: a tier passes on to it what it has held', async () => {
    consumer.onPointer(JSON.stringify({ ...pointer(), deliveryId: 'first' }), FIRST);
    const passed = { ...pointer(), deliveryId: 'retried', attempt: 2, publication: 'span' };
    expect(consumer.onPointer(JSON.stringify({ ...passed, publishedAt: clock.now() - 5_000 }), TIER).kind).toBe('accepted');
    await settle();
    expect(begun).toEqual(['first']);
    expect(published).toEqual([{ topic: 'webhook-deliveries', pointers: [{ ...passed, publishedAt: clock.now() }] }]);
  });

  it('passes on together what comes while others are stored, and has consumed it then', async () => {
    let store = (): void => undefined;
    stored = new Promise((resolve) => (store = resolve));
    const pass = (deliveryId: string) => consumer.onPointer(JSON.stringify({ ...pointer(), deliveryId }), TIER);
    const done: string[] = [];
    for (const id of ['a', 'b', 'c']) {
      const result = pass(id);
      if (result.kind === 'accepted') void result.done.then(() => done.push(id));
      await settle();
    }
    const batches = () => published.map(({ pointers }) => pointers.map(({ deliveryId }) => deliveryId));
    expect([batches(), done]).toEqual([[['a']], []]);
    store();
    await settle();
    expect([batches(), done]).toEqual([
      [['a'], ['b', 'c']],
      ['a', 'b', 'c'],
    ]);
  });

  it('holds nothing in the topic of what is due, nor in a tier what would keep others waiting longer than that waits', () => {
    const at = (wait: number, context: typeof FIRST) =>
      consumer.onPointer(JSON.stringify({ ...pointer(), attempt: 2, dueAt: clock.now() + wait }), context).kind;
    expect([at(1, FIRST), at(5_000, TIER), at(5_001, TIER)]).toEqual(['accepted', 'held', 'accepted']);
  });

  it.each([
    [2_000, 'held'],
    [2_001, 'accepted'],
  ])('holds a pointer no longer than at first, though the clock is set back by %i ms: it is %s', async (ms, again) => {
    const retry = JSON.stringify({ ...pointer(), attempt: 2, dueAt: clock.now() + 5_000, publishedAt: clock.now() });
    const offered = (offset = '7', partition = 1) => consumer.onPointer(retry, { ...TIER, offset, partition }).kind;
    expect(offered()).toBe('held');
    clock.set(clock.now() - ms);
    await clock.advance(4_999);
    expect(offered()).toBe('held');
    await clock.advance(1);
    expect([offered('7', 2), offered(), offered('8')]).toEqual(['held', again, 'held']);
  });
});
