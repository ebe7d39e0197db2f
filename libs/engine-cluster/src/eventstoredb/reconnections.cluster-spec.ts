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
  it('that is refused thousands of times takes no more memory than one that is refused now and then', async () => {
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
      const { rss, heapTotal, heapUsed } = process.memoryUsage();
      return rss - heapTotal + heapUsed;
    };
    const growths: number[] = [];
    let before = await memoryAfter(200);
    for (let refused = 700; refused <= 2_700; refused += 500) {
      const after = await memoryAfter(refused);
      growths.push(after - before);
      before = after;
    }
    subscription.close();
    await running;
    await connection.close();
    // A leak grows every time; other effects do not.
    expect(growths.sort((a, b) => a - b)[2]).toBeLessThan(6 * MEGABYTE);
  });
});
