import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { Shutdown } from '../../runtime/shutdown.js';
import { DeliveryConsumer } from './delivery.consumer.js';
import { DeliveryCounts } from '../delivery-counts.js';
import type { DeliveryPointer } from '../delivery-pointer.js';
import { AttemptScheduler } from './attempt-scheduler.js';
import type { AttemptRunner } from './attempt-runner.js';

const FIRST_WAIT_MS = 2;
const settings = fakeSettings({ retrySchedule: { waits: [FIRST_WAIT_MS, 5_000], mode: 'gap', jitter: 0 } });

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
    expect(['{', 'null', '{"eventId":"evt_1"}', 7].map((value) => consumer.onPointer(value).kind)).toEqual(
      Array(4).fill('accepted'),
    );
    expect(counts.unreadable).toBe(4);
  });

  it.each(['eventId', 'deliveryId', 'projectId', 'endpointId', 'appointmentId', 'attempt', 'dueAt'])(
    'lets pass a pointer without its %s, or with another kind of value there',
    (name) => {
      const damaged = [{ [name]: undefined }, { [name]: null }, { [name]: [] }].map((wrong) => ({ ...pointer(), ...wrong }));
      for (const each of damaged) expect(consumer.onPointer(JSON.stringify(each)).kind).toBe('accepted');
      expect(counts.unreadable).toBe(3);
    },
  );

  it('holds back what is not due, and takes it at the millisecond it is', () => {
    const due = clock.now() + 1;
    expect(consumer.onPointer(JSON.stringify({ ...pointer(), dueAt: due }))).toEqual({ kind: 'held', until: due });
    expect(consumer.onPointer(JSON.stringify(pointer())).kind).toBe('accepted');
  });

  it('holds up nobody behind a first attempt that is further ahead than the schedule says: the clock was set back', () => {
    const at = (dueAt: number, attempt: number) => consumer.onPointer(JSON.stringify({ ...pointer(), dueAt, attempt })).kind;
    const [due, ahead] = [clock.now() + FIRST_WAIT_MS, clock.now() + FIRST_WAIT_MS + 1];
    expect([at(due, 1), at(ahead, 2), at(ahead, 1)]).toEqual(['held', 'held', 'accepted']);
  });
});
