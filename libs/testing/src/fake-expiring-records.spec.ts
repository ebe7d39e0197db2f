import { expiringRecordsContract } from '@ports/contracts/expiring-records.contract';
import { FakeClock } from './fake-clock.js';
import { FakeExpiringRecords } from './fake-expiring-records.js';

expiringRecordsContract('FakeExpiringRecords', () => {
  const clock = new FakeClock();
  const records = new FakeExpiringRecords(clock);
  const another = () => Promise.resolve(new FakeExpiringRecords(clock, records.all));
  return Promise.resolve({ records, clock, another, close: () => Promise.resolve() });
});
