import type { Clock } from '@ports/clock.port';
import type { ISocketFactory } from 'kafkajs';
import { connect } from 'node:net';
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
    const socket = connect({ host, port }, onConnect).setKeepAlive(true, KEEP_ALIVE_DELAY_MS);
    let cancel = pace.after(connectWithinMs + leavesWithinMs, () => socket.destroy());
    socket.once('connect', () => cancel());
    socket.once('finish', () => (cancel = pace.after(leavesWithinMs, () => socket.destroy())));
    socket.once('close', () => cancel());
    return socket;
  };
}
