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

it('who gives up waits no longer, tries no more, and is told what the trouble was', async () => {
  const clock = new FakeClock();
  const givingUp = new AbortController();
  let tries = 0;
  const store = () => ((tries += 1), Promise.reject(new StoreUnavailable('the disk is full')));
  const stored = untilStored(clock, 10_000, store, givingUp.signal).catch((error: unknown) => error);
  await clock.advance(1_000);
  const before = tries;
  givingUp.abort();
  expect(await stored).toBeInstanceOf(StoreUnavailable);
  await clock.advance(10_000);
  expect([tries, clock.pending]).toEqual([before, 0]);
});
