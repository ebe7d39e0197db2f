import { eventStoreContract } from '@ports/contracts/event-store.contract';
import { eventStoreDouble, storesOver } from '@testing/event-store-double';

eventStoreContract('EventstoredbEventStore', async () => {
  const named = process.env['EVENTSTORE_URL'];
  if (named !== undefined) return storesOver(named);
  const double = await eventStoreDouble();
  const stores = await storesOver(double.process.url, '');
  return {
    ...stores,
    async close() {
      await stores.close();
      await double.end();
    },
  };
});
