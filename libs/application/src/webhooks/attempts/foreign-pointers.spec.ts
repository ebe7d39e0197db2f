import { FIRST_TOPIC } from '@domain/delivery/tiers';
import { DeliveryWorld } from '@testing/delivery-world';
import { LEDGER_PROJECT, OTHER_PROJECT } from '@testing/ledger-world';
import type { DeliveryPointer } from '../delivery-pointer.js';

const MINE = 'https://a.example/hooks';
const THEIRS = 'https://b.example/hooks';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

/** An event whose delivery is due, an endpoint of its own project and one of another, and the pointer to its first attempt. */
async function due() {
  const mine = await world.register({ url: MINE });
  const own = await world.register({ url: 'https://c.example/hooks', filters: ['appointment.cancelled'] });
  const theirs = await world.register({ url: THEIRS }, { ...world.ledger.context(), projectId: OTHER_PROJECT });
  const lost = jest.spyOn(world.topics, 'publish').mockResolvedValue();
  const eventId = await world.emit();
  await world.quiet();
  lost.mockRestore();
  const [delivery] = await world.deliveries(eventId);
  const pointer: DeliveryPointer = {
    eventId,
    deliveryId: delivery?.id ?? '',
    projectId: LEDGER_PROJECT,
    endpointId: mine.endpoint.id,
    appointmentId: (await world.streams.load(eventId)).event?.appointmentId ?? '',
    attempt: 1,
    dueAt: 0,
  };
  return { eventId, pointer, own: own.endpoint.id, theirs: theirs.endpoint.id };
}

async function publish(topic: string, pointer: DeliveryPointer): Promise<void> {
  await world.ledger.ports.bus.publish(topic, [{ key: pointer.endpointId, value: JSON.stringify(pointer) }]);
  await world.quiet();
}

describe.each([FIRST_TOPIC, `${FIRST_TOPIC}.retry.5s`])('a pointer on %s that is not that of its delivery', (topic) => {
  it.each([
    ['project and endpoint', ({ theirs }) => ({ projectId: OTHER_PROJECT, endpointId: theirs })],
    ['endpoint, of its own project', ({ own }) => ({ endpointId: own })],
    ['endpoint, which does not exist', () => ({ endpointId: 'we_nobody' })],
    ['endpoint, of another project', ({ theirs }) => ({ endpointId: theirs })],
    ['project', () => ({ projectId: OTHER_PROJECT })],
    ['appointment', () => ({ appointmentId: 'apt_other' })],
  ] satisfies readonly (readonly [string, (known: { own: string; theirs: string }) => Partial<DeliveryPointer>])[])(
    'sends nothing, cancels nothing and is counted as unreadable: another %s',
    async (_what, otherwise) => {
      const { eventId, pointer, ...known } = await due();
      await publish(topic, { ...pointer, ...otherwise(known) });
      expect(world.counts.unreadable).toBe(1);
      expect(world.sender.sent).toEqual([]);
      expect(await world.deliveries(eventId)).toMatchObject([{ status: 'pending', attemptCount: 0, url: MINE }]);
      await publish(topic, pointer);
      expect(world.sender.sent.map(({ url }) => url)).toEqual([MINE]);
      expect(await world.deliveries(eventId)).toMatchObject([{ status: 'succeeded', attemptCount: 1 }]);
    },
  );
});
