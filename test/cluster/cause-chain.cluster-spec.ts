import { causeChainLaw } from '@testing/cause-chain-law';
import { EventStoreDouble, storesOver } from '@testing/event-store-double';

describe('the causes of deliveries', () => {
  let double: EventStoreDouble;
  beforeAll(async () => void (double = await EventStoreDouble.start()));
  afterAll(() => double.end());

  causeChainLaw('EventStoreDB', 4, () => storesOver(double.url));
});
