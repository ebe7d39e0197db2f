import { eventually } from '@ports/contracts/eventually';
import { FakeClock } from '@testing/fake-clock';
import { type ISocketFactory, Kafka, logLevel } from 'kafkajs';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { brokerSockets } from './broker-socket.js';

const TIMES = 10;
/** Operating systems buffer some megabytes of unsent data. */
const MORE_THAN_IS_BUFFERED_BYTES = 64 * 1024 * 1024;

describe('a connection to a broker that accepts it and is silent', () => {
  let broker: Server;
  let clock: FakeClock;
  const opened: Socket[] = [];
  const address = () => (broker.address() as AddressInfo).port;
  beforeEach(async () => {
    clock = new FakeClock();
    opened.length = 0;
    broker = createServer({ allowHalfOpen: true }, (socket) => socket.on('error', () => undefined).resume());
    await once(broker.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    for (const socket of opened) socket.destroy();
    broker.close();
  });

  it('is gone two seconds after it was ended, and not before', async () => {
    const socket = brokerSockets(clock)({ host: '127.0.0.1', port: address(), ssl: {}, onConnect: () => undefined });
    await once(socket, 'connect');
    await clock.advance(60_000);
    expect(socket.destroyed).toBe(false);
    socket.end();
    await once(socket, 'finish');
    await clock.advance(1_999);
    expect(socket.destroyed).toBe(false);
    await clock.advance(1);
    expect(socket.destroyed).toBe(true);
  });

  it('is gone two seconds after it was ended, though the broker takes nothing of what is to be sent before', async () => {
    broker.on('connection', (taken) => void taken.pause());
    const socket = brokerSockets(clock)({ host: '127.0.0.1', port: address(), ssl: {}, onConnect: () => undefined });
    await once(socket, 'connect');
    socket.write(Buffer.alloc(MORE_THAN_IS_BUFFERED_BYTES));
    socket.end();
    await clock.advance(2_000);
    expect(socket.destroyed).toBe(true);
  });

  it('leaves no socket behind, however often the driver connects anew', async () => {
    const open = brokerSockets(clock);
    const socketFactory: ISocketFactory = (given) => {
      opened.push(open(given));
      return opened.at(-1)!;
    };
    const kafka = new Kafka({
      brokers: [`127.0.0.1:${address()}`],
      logLevel: logLevel.NOTHING,
      socketFactory,
      requestTimeout: 100,
      enforceRequestTimeout: true,
      retry: { retries: 0 },
    });
    const anew = async () => {
      const admin = kafka.admin();
      await admin.connect().catch(() => undefined);
      await admin.disconnect();
    };
    await Promise.all(Array.from({ length: TIMES }, anew));
    expect(opened.length).toBeGreaterThanOrEqual(TIMES);
    await eventually(async () => {
      await clock.advance(60_000);
      expect(opened.filter(({ destroyed }) => !destroyed)).toEqual([]);
    }, 10_000);
  });
});
