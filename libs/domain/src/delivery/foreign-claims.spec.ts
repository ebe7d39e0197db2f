import { specFor } from '@testing/decider-spec';
import { claim, claimed, past } from '@testing/delivery-events';
import { deliveriesDecider } from './deliveries.decider.js';

const { given } = specFor(deliveriesDecider);

describe('a delivery', () => {
  it.each(['projectId', 'endpointId', 'appointmentId'])('is neither claimed, cut off nor cancelled for another %s', (member) => {
    const about = { ...claim(100).about, [member]: 'another' };
    for (const obstacle of [null, 'endpoint_deleted', 'endpoint_disabled'] as const) {
      given(...past)
        .when({ ...claim(100), about, obstacle })
        .thenNothing();
      given(...past, claimed(100))
        .when({ ...claim(99_999), about, obstacle })
        .thenNothing();
    }
  });
});
