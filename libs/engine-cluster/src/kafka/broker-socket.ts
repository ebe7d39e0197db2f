import type { Clock } from '@ports/clock.port';
import type { ISocketFactory } from 'kafkajs';
import { Socket } from 'node:net';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const { connectWithinMs, leavesWithinMs } = ENGINE_CONSTANTS.kafka;
/** The driver's own value. */
const KEEP_ALIVE_DELAY_MS = 60_000;

/**
 * Opens the driver's connections, and destroys those that stay open after the driver has ended them. A silent broker does not end
 * its side, and a connection that is still being made has none yet.
 */
export function brokerSockets(pace: Clock): ISocketFactory {
  return ({ host, port, onConnect }) => {
    const socket = new Socket();
    const destroyAfter = (ms: number) => pace.after(ms, () => socket.destroy());
    const connected = destroyAfter(connectWithinMs + leavesWithinMs);
    socket.once('connect', connected);
    socket.once('close', connected);
    const end = socket.end.bind(socket);
    // The event `finish` would come only once all that was written has been sent.
    socket.end = (...given: readonly unknown[]) => {
      socket.once('close', destroyAfter(leavesWithinMs));
      return end(...(given as []));
    };
    return socket.connect({ host, port }, onConnect).setKeepAlive(true, KEEP_ALIVE_DELAY_MS);
  };
}
