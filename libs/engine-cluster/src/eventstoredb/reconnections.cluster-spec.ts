import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freePort } from '../../../../tools/engines/free-port.mjs';
import { Connection } from './connection.js';
import { ConnectionString } from './connection-string.js';
import { LogSubscription } from './log-subscription.js';

const MEGABYTE = 1024 * 1024;

describe('a subscription', () => {
  it('that is refused a thousand times takes no more memory than one that is refused now and then', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const clock = new SystemClock();
    const connection = new Connection(new ConnectionString(`esdb://127.0.0.1:${await freePort()}?tls=false`), clock);
    let rounds = 0;
    const subscription = new LogSubscription(connection, clock, () => (rounds += 1), { firstMs: 1, longestMs: 1 });
    const running = subscription.run();
    const memoryAfter = async (count: number) => {
      await eventually(() => expect(rounds).toBeGreaterThan(count));
      collectGarbage();
      return process.memoryUsage();
    };
    const before = await memoryAfter(200);
    const after = await memoryAfter(1_200);
    subscription.close();
    await running;
    await connection.close();
    expect(after.heapUsed - before.heapUsed).toBeLessThan(4 * MEGABYTE);
    expect(after.rss - before.rss).toBeLessThan(40 * MEGABYTE);
  });
});
