import type { MessageBus, OutgoingMessage } from '@ports/message-bus.port';
import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { parsePointer, type DeliveryPointer } from './delivery-pointer.js';
import { DeliveryTopics } from './delivery-topics.js';

const S = 1_000;
const settings = fakeSettings({ retrySchedule: { waits: [0, 5 * S, 30 * S], mode: 'gap', jitter: 0 } });

let clock: FakeClock;
let topics: DeliveryTopics;
let onPublished: () => Promise<void>;
let published: { readonly topic: string; readonly messages: readonly OutgoingMessage[] }[];

beforeEach(() => {
  clock = new FakeClock();
  published = [];
  onPublished = () => Promise.resolve();
  const publish = (topic: string, messages: readonly OutgoingMessage[]) => {
    published.push({ topic, messages });
    return onPublished();
  };
  topics = new DeliveryTopics({ publish, partitions: { held: 3, other: 7 } } as unknown as MessageBus, settings, clock);
});

function pointer(deliveryId: string, dueIn: number, endpointId = 'we_1'): DeliveryPointer {
  const about = { eventId: 'evt_1', projectId: 'prj_1', appointmentId: 'apt_1', attempt: 2 };
  return { ...about, deliveryId, endpointId, dueAt: clock.now() + dueIn };
}

describe('the topics of deliveries', () => {
  it('have as many partitions as the engine gives to topics, and say how long they hold', () =>
    expect(topics.declarations()).toEqual([
      { name: 'webhook-deliveries', partitions: 7 },
      { name: 'webhook-deliveries.retry.5s', partitions: 3, waitMs: 5 * S },
      { name: 'webhook-deliveries.retry.30s', partitions: 3, waitMs: 30 * S },
    ]));

  it('take each pointer by the time that is left, at once for all of a topic, and say when it was published', async () => {
    await topics.publish([pointer('a', 0), pointer('b', 30 * S), pointer('c', 6 * S), pointer('d', -S), pointer('e', 20 * S)]);
    const told = published.map(({ topic, messages }) => [topic, messages.map(({ value }) => parsePointer(value)?.deliveryId)]);
    expect(told).toEqual([
      ['webhook-deliveries', ['a', 'd']],
      ['webhook-deliveries.retry.30s', ['b']],
      ['webhook-deliveries.retry.5s', ['c', 'e']],
    ]);
    const all = published.flatMap(({ messages }) => messages.map(({ value }) => parsePointer(value)?.publishedAt));
    expect(new Set(all)).toEqual(new Set([clock.now()]));
  });

  it('keep the order of an endpoint, whatever its deliveries are about', async () => {
    await topics.publish([pointer('a', 0, 'we_1'), { ...pointer('b', 0, 'we_2'), appointmentId: 'apt_2' }]);
    expect(published.flatMap(({ messages }) => messages.map(({ key }) => key))).toEqual(['we_1', 'we_2']);
  });

  it('take nothing that no tier can hold so long, which does not travel then', async () => {
    const later = pointer('a', 700 * S);
    await topics.publish([{ ...later, dueAt: 0 }]);
    expect(topics.isTravelling(later)).toBe(true);
    await topics.publish([later]);
    expect([topics.isTravelling(later), published.length]).toEqual([false, 1]);
  });

  it('take what a consumer forgets before its publication is acknowledged for nothing that travels', async () => {
    const due = pointer('a', 0);
    onPublished = () => Promise.resolve(topics.forget(due));
    await topics.publish([due]);
    expect(topics.isTravelling(due)).toBe(false);
  });

  it('take what could not be published for nothing that travels', async () => {
    const due = pointer('a', 0);
    onPublished = () => Promise.reject(new Error('no broker'));
    await expect(topics.publish([due])).rejects.toThrow('no broker');
    expect(topics.isTravelling(due)).toBe(false);
  });
});
