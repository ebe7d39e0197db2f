import { specFor } from '@testing/decider-spec';
import { about, claimed, past, record, result, retry } from '@testing/delivery-events';
import { deliveriesDecider } from './deliveries.decider.js';

const { given } = specFor(deliveriesDecider);

describe('the answer of a receiver that asks for something', () => {
  it('disables the endpoint by a 410, if the endpoint is to be disabled by that', () => {
    const failed = (status: number) =>
      ({ type: 'DeliveryFailed', at: 150, ...about, result: result(1, status), reason: 'permanent_rejection' }) as const;
    const recorded = (status: number, disableOnGone: boolean) =>
      given(...past, claimed(100)).when({ ...record(150, result(1, status)), disableOnGone });
    recorded(410, true).then({ ...failed(410), disablesEndpoint: true });
    recorded(410, false).then(failed(410));
    recorded(404, true).then(failed(404));
  });
  it('is another try later than the schedule says if the receiver asks for that', () => {
    const busy = { ...result(1, 429), headers: { 'retry-after': '60' } };
    given(...past, claimed(100))
      .when(record(150, busy))
      .then(retry(150, busy, 60_150));
  });
});
