import { NO_TIMINGS } from '@domain/delivery/attempt-timings';
import { Logger } from '@nestjs/common';
import { pause } from '@ports/clock.port';
import type { SendResult } from '@ports/webhook-sender.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, NINE_ON_MONDAY } from '@testing/ledger-world';

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await world.close();
});

const hindered = (cause: string): SendResult => ({
  kind: 'hindered',
  cause,
  requestHeaders: null,
  timings: NO_TIMINGS,
  remoteIp: null,
  durationMs: 0,
});

describe('an attempt that this machine cannot make', () => {
  it('is made in some seconds, under the same number, and none is counted or shown', async () => {
    await world.register();
    world.sender.answer = (_, count) => (count <= 3 ? hindered('EMFILE') : answered(200));
    const eventId = await world.emit();
    await world.elapse(1_000);
    expect(await world.deliveries(eventId)).toMatchObject([{ status: 'pending', attemptCount: 0, attempts: [] }]);
    await world.elapse(16_000, 500);
    expect(await world.deliveries(eventId)).toMatchObject([
      { status: 'succeeded', attemptCount: 1, attempts: [{ attempt: 1, status: 200 }] },
    ]);
    expect(world.sender.sent.map(({ headers }) => headers['Service-Attempt'])).toEqual(['1', '1', '1', '1']);
    expect(world.counts.postponedByCause).toEqual({ EMFILE: 3 });
    expect(world.counts.attemptsByOutcome).toEqual({ '2xx': 1 });
  });

  it('is told of in the log once a minute, for each cause', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await world.register();
    world.sender.answer = (_, count) => hindered(count % 2 === 0 ? 'ENOBUFS' : 'EMFILE');
    for (let n = 0; n < 5; n++) await world.emit(NINE_ON_MONDAY + n * HALF_HOUR);
    await world.elapse(50_000, 1_000);
    const told = () => warned.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('this machine'));
    expect(told()).toEqual([
      'webhook attempts are postponed, this machine cannot make them: EMFILE',
      'webhook attempts are postponed, this machine cannot make them: ENOBUFS',
    ]);
    await world.elapse(60_000, 1_000);
    expect(told()).toHaveLength(4);
  });
});

describe('an answer whose body is still to come', () => {
  it.each([200, 500])('leaves room for the next attempt at the same endpoint: %d', async (status) => {
    await world.register();
    world.sender.answer = async (_, __, headCame) => {
      headCame(status);
      await pause(world.ledger.clock, 1_000);
      return answered(status);
    };
    for (let n = 0; n < 40; n++) await world.emit(NINE_ON_MONDAY + n * HALF_HOUR);
    await world.quiet();
    expect(world.sender.sent).toHaveLength(40);
    await world.elapse(1_000);
  });
});
