import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { Shutdown } from '../../runtime/shutdown.js';
import { DeliveryConsumer } from './delivery.consumer.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import type { AttemptRunner } from './attempt-runner.js';

const settings = fakeSettings({ retrySchedule: { waits: [0, 5_000], mode: 'gap', jitter: 0 } });
const FIRST = { topic: 'webhook-deliveries', partition: 0, offset: '0' };
const TIER = { topic: 'webhook-deliveries.retry.5s', partition: 0, offset: '0' };

let clock: FakeClock;
let counts: DeliveryCounts;
let consumer: DeliveryConsumer;

beforeEach(() => {
  clock = new FakeClock();
  const attempts = { attempt: () => Promise.resolve() } as unknown as AttemptRunner;
  counts = new DeliveryCounts();
  consumer = new DeliveryConsumer(attempts, new AttemptScheduler(new Shutdown()), settings, clock, counts);
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
