import type { Clock } from '@ports/clock.port';
import type { ISocketFactory } from 'kafkajs';
import { Socket } from 'node:net';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const { connectWithinMs, leavesWithinMs } = ENGINE_CONSTANTS.kafka;
/** The driver's own value. */
const KEEP_ALIVE_DELAY_MS = 60_000;

/** Destroys connections still open after the driver has ended them: a silent broker never ends its side, nor does one being opened. */
export function brokerSockets(pace: Clock): ISocketFactory {
  return ({ host, port, onConnect }) => {
    const socket = new Socket();
    const destroyAfter = (ms: number) => pace.after(ms, () => socket.destroy());
    const connected = destroyAfter(connectWithinMs + leavesWithinMs);
    socket.once('connect', connected);
    socket.once('close', connected);
    const end = socket.end.bind(socket);
    // The `finish` event would come only after all written data was sent.
    socket.end = (...given: readonly unknown[]) => {
      socket.once('close', destroyAfter(leavesWithinMs));
      return end(...(given as []));
    };
    return socket.connect({ host, port }, onConnect).setKeepAlive(true, KEEP_ALIVE_DELAY_MS);
  };
}
