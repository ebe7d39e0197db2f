import { eventStoreContract } from '@ports/contracts/event-store.contract';
import { EventStoreDouble, storesOver } from '@testing/event-store-double';

async function onDouble(prepare: (double: EventStoreDouble) => Promise<void> = () => Promise.resolve()) {
  const double = await EventStoreDouble.start();
  const stores = await storesOver(double.url, '');
  await prepare(double);
  return {
    ...stores,
    async close() {
      await stores.close();
      await double.end();
    },
  };
}

eventStoreContract('EventstoredbEventStore', async () => {
  const named = process.env['EVENTSTORE_URL'];
  return named === undefined ? onDouble() : storesOver(named);
});

eventStoreContract('EventstoredbEventStore on a server that fails now and then', () =>
  onDouble(async (double) => {
    const often = [
      { call: 'append', kind: 'commit, then unavailable', every: 7 },
      { call: 'append', kind: 'unavailable', every: 11 },
      { call: 'append', kind: 'delay', ms: 20, every: 5 },
      { call: 'append', kind: 'commit, then silent', every: 301 },
      { call: 'read', kind: 'unavailable', every: 13 },
      { call: 'read', kind: 'delay', ms: 20, every: 6 },
    ] as const;
    for (const plan of often) await double.misbehave(plan);
  }),
);
