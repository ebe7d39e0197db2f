import { causeChainLaw } from '@testing/cause-chain-law';

describe('the causes of deliveries', () => {
  causeChainLaw('the embedded engine', 30);
});
