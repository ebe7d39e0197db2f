import type { Clock } from '@ports/clock.port';
import type { ISocketFactory } from 'kafkajs';
import { connect } from 'node:net';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const { connectWithinMs, leavesWithinMs } = ENGINE_CONSTANTS.kafka;
/** As the driver's own. */
const KEEP_ALIVE_DELAY_MS = 60_000;

/**
 * Opens the driver's connections. The driver only ends them: one to a silent broker, which does not end it in turn, would stay
 * open for as long as the broker is silent, and one that is being made until it is made.
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
