import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { untilStored } from './until-stored.js';

afterEach(() => jest.restoreAllMocks());

it('however many wait for the store, none of them listens to anything', async () => {
  const listen = jest.spyOn(EventTarget.prototype, 'addEventListener');
  const clock = new FakeClock();
  let isDown = true;
  const store = () => (isDown ? Promise.reject(new StoreUnavailable('the disk is full')) : Promise.resolve('stored'));
  const all = Array.from({ length: 11 }, () => untilStored(clock, 10_000, store));
  await settle();
  expect(listen).not.toHaveBeenCalled();
  isDown = false;
  await clock.advance(1_000);
  expect(await Promise.all(all)).toEqual(Array.from({ length: 11 }, () => 'stored'));
});
