import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { batchOf, freshStream } from '@ports/contracts/noted-events';
import { EventStoreDouble } from '@testing/event-store-double';
import { TcpProxy } from '../../../../tools/engines/tcp-proxy.mjs';
import { type OpenEventStoreDb, openEventStoreDb } from './open-eventstoredb.js';

const REPLACEMENTS = 10;
/** The present one, the previous one, and one being opened. */
const OPEN_AT_MOST = 3;
const FASTER = 10;

class FastClock extends SystemClock {
  override elapsed(): number {
    return super.elapsed() * FASTER;
  }
  override after(ms: number, callback: () => void): () => void {
    return super.after(ms / FASTER, callback);
  }
}

describe('a connection that is replaced', () => {
  let double: EventStoreDouble;
  let proxy: TcpProxy;
  let open: OpenEventStoreDb;
  beforeEach(async () => {
    double = await EventStoreDouble.start();
    proxy = await TcpProxy.before(double.process.port);
    open = await openEventStoreDb({ eventStoreUrl: `esdb://127.0.0.1:${proxy.port}?tls=false`, prefix: '' }, new FastClock());
  });
  afterEach(async () => {
    await open.close();
    await proxy.close();
    await double.end();
  });

  it('is closed where the server accepts connections and is silent: ten replacements leave three sockets at most', async () => {
    await eventually(async () => expect((await double.calls()).subscribe).toBe(1));
    proxy.strand();
    proxy.mode = 'hold';
    const { made } = proxy.connections;
    await eventually(() => expect(proxy.connections.made).toBeGreaterThanOrEqual(made + REPLACEMENTS), 30_000);
    await eventually(() => expect(proxy.connections.open).toBeLessThanOrEqual(OPEN_AT_MOST), 5_000);
    proxy.mode = 'pass';
    await eventually(() => expect(open.health()).toBe(true), 5_000);
    await eventually(() => expect(proxy.connections.open).toBe(1), 5_000);
  });

  it('is closed where it fell silent and a new one is well, and the subscription is made on the new one', async () => {
    for (let replaced = 1; replaced <= REPLACEMENTS; replaced += 1) {
      await eventually(async () => expect((await double.calls()).subscribe).toBeGreaterThanOrEqual(replaced), 10_000);
      const { made } = proxy.connections;
      proxy.strand();
      await eventually(() => expect(proxy.connections.made).toBeGreaterThan(made), 10_000);
      await eventually(() => open.store.append(freshStream(), batchOf('well'), 'none').then(() => undefined), 5_000);
    }
    await eventually(() => expect(proxy.connections.open).toBe(1), 5_000);
  });
});
