import { setTimeout as sleep } from 'node:timers/promises';
import { SystemClock } from '@adapters/clock.system';
import { batchOf, freshStream } from '@ports/contracts/noted-events';
import { EventStoreDouble } from '@testing/event-store-double';
import { TcpProxy } from '../../../../tools/engines/tcp-proxy.mjs';
import { openEventStoreDb } from './open-eventstoredb.js';

class WrongClock extends SystemClock {
  constructor(private readonly aheadMs: number) {
    super();
  }
  override now(): number {
    return super.now() + this.aheadMs;
  }
}

describe('a machine', () => {
  let double: EventStoreDouble;
  let proxy: TcpProxy;
  beforeAll(async () => {
    double = await EventStoreDouble.start();
    proxy = await TcpProxy.before(double.process.port);
  });
  afterAll(async () => {
    await proxy.close();
    await double.end();
  });

  async function warnings(clock: SystemClock, meanwhile: () => Promise<void> = () => Promise.resolve()) {
    const told: string[] = [];
    const log = { warn: (message: string) => void told.push(message) };
    const eventStoreUrl = `esdb://127.0.0.1:${proxy.port}?tls=false`;
    const { store, close } = await openEventStoreDb({ eventStoreUrl, prefix: '' }, clock, log);
    await sleep(100);
    for (let event = 0; event < 6; event += 1) {
      const appended = store.append(freshStream(), batchOf('a'), 'none').catch(() => undefined);
      if (event % 2 === 0) await meanwhile();
      await appended;
      await sleep(50);
    }
    await close();
    return told.filter((line) => line.includes('clock'));
  }

  it.each([
    [-3_000, 'ahead of'],
    [3_000, 'behind'],
  ])('whose clock is ahead by %i ms is told once that the server’s is %s it', async (aheadMs, where) => {
    const told = await warnings(new WrongClock(aheadMs));
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(new RegExp(`^the clock of EventStoreDB esdb://.* is (2[5-9]|3\\d)\\d\\d ms ${where} this machine`));
  });

  it.each([-1_500, 1_500])('whose clock is ahead by %i ms is told nothing', async (aheadMs) =>
    expect(await warnings(new WrongClock(aheadMs))).toEqual([]),
  );

  it('whose connection is silent for seconds is told nothing of clocks', async () => {
    const silence = async () => {
      proxy.mode = 'hold';
      await sleep(3_000);
      proxy.mode = 'pass';
    };
    expect(await warnings(new SystemClock(), silence)).toEqual([]);
  });
});
