import { getEventListeners } from 'node:events';
import { AppendOutcomeUnknown, StoreUnavailable, type EventStore } from '@ports/event-store.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, NINE_ON_MONDAY } from '@testing/ledger-world';

/** Enough that each of two processes gets some partitions. */
const ENDPOINTS = 20;
const EVENTS = 3;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

const storeOf = (process: DeliveryWorld): EventStore => process.ledger.ports.events;

/** Rejects claims until the returned function is called, which returns their number. */
function takingNoClaims(...processes: readonly DeliveryWorld[]): () => number {
  let [isAway, refused] = [true, 0];
  for (const events of processes.map(storeOf)) {
    const append = events.append.bind(events);
    events.append = (stream, batch, expected) => {
      const isClaim = batch.some(({ event }) => event.type === 'DeliveryClaimed');
      if (!isAway || !isClaim) return append(stream, batch, expected);
      refused++;
      return Promise.reject(new StoreUnavailable('no answer in time'));
    };
  }
  return () => ((isAway = false), refused);
}

/** Stores the first claim without acknowledging it or its repetitions. */
function answeringNoFirstClaim(): void {
  const events = storeOf(world);
  const append = events.append.bind(events);
  let first: string | null = null;
  events.append = async (stream, batch, expected) => {
    const claim = batch.find(({ event }) => event.type === 'DeliveryClaimed');
    const appended = await append(stream, batch, expected);
    first ??= claim?.id ?? null;
    if (claim && claim.id === first) throw new AppendOutcomeUnknown(stream);
    return appended;
  };
}

/** A read that fails three times. */
function failing<Read, Args extends unknown[]>(read: jest.SpyInstance<Promise<Read>, Args>): void {
  for (let times = 0; times < 3; times++) read.mockRejectedValueOnce(new StoreUnavailable('no answer in time'));
}

const attemptsOf = async (eventId: string) =>
  (await world.deliveries(eventId)).map(({ status, attempts }) => [
    status,
    attempts.map(({ status: told, errorCode }) => told ?? errorCode),
  ]);

describe('deliveries whose store takes no claims for a while', () => {
  it('are all made once it does, by each of two processes those that it has, and no sweep is needed', async () => {
    const other = world.beside();
    await other.consuming();
    const isBack = takingNoClaims(world, other);
    for (let count = 0; count < ENDPOINTS; count++) await world.register({ url: `https://${count}.example/hooks` });
    for (let count = 0; count < EVENTS; count++) await world.emit(NINE_ON_MONDAY + count * HALF_HOUR);
    await world.elapse(30_000, 1_000);
    expect([world.scheduler.inFlight > 0, other.scheduler.inFlight > 0, world.sender.sent.length]).toEqual([true, true, 0]);
    expect(getEventListeners(world.ledger.shutdown.begun, 'abort').length).toBeLessThan(5);
    expect(isBack()).toBeGreaterThan(0);
    await world.elapse(6_000, 500);
    const sent = world.sender.sent.map(({ headers }) => headers['Service-Delivery-Id']);
    expect([sent.length, new Set(sent).size]).toEqual([ENDPOINTS * EVENTS, ENDPOINTS * EVENTS]);
  });

  it('are left to the sweep after a minute, so that none holds a place for ever', async () => {
    takingNoClaims(world);
    await world.register();
    await world.emit();
    await world.elapse(59_000, 1_000);
    expect(world.scheduler.inFlight).toBe(1);
    await world.elapse(7_000, 1_000);
    expect(world.scheduler.inFlight).toBe(0);
  });

  it('are left to the next start when the process shuts down', async () => {
    takingNoClaims(world);
    await world.register();
    await world.emit();
    await world.elapse(10_000, 1_000);
    expect(world.scheduler.inFlight).toBe(1);
    world.ledger.shutdown.begin();
    await world.quiet();
    expect(world.scheduler.inFlight).toBe(0);
  });
});

describe('an attempt', () => {
  it('whose claim was stored without an answer is made under that claim, and none counts as cut', async () => {
    answeringNoFirstClaim();
    await world.register();
    const eventId = await world.emit();
    await world.elapse(8_000, 500);
    expect(await attemptsOf(eventId)).toEqual([['succeeded', [200]]]);
    expect(world.sender.sent).toHaveLength(1);
  });

  it.each(['its endpoint', "its event's bytes"])('is made once %s can be read', async (what) => {
    if (what === 'its endpoint') failing(jest.spyOn(world.directory, 'find'));
    else failing(jest.spyOn(world.streams, 'frozen'));
    await world.register();
    const eventId = await world.emit();
    await world.elapse(3_000, 500);
    expect(await attemptsOf(eventId)).toEqual([['succeeded', [200]]]);
    expect(world.sender.sent).toHaveLength(1);
  });

  it('that failed is recorded once its endpoint can be read', async () => {
    world.sender.answer = () => (failing(jest.spyOn(world.directory, 'find')), answered(503));
    await world.register();
    const eventId = await world.emit();
    await world.elapse(3_000, 500);
    expect(await attemptsOf(eventId)).toEqual([['retrying', [503]]]);
  });
});
