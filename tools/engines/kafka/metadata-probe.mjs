import { connect } from 'node:net';

const EVERY_MS = 100;
const ANSWERS_WITHIN_MS = 2_000;
/** Metadata request, version 1, for every topic, from client `boot`. */
const REQUEST = Buffer.from('0000001200030001000000070004626f6f74ffffffff', 'hex');

function ask(port) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(REQUEST));
    let answer = Buffer.alloc(0);
    socket.setTimeout(ANSWERS_WITHIN_MS, () => socket.destroy(new Error('no answer')));
    socket.on('data', (bytes) => {
      answer = Buffer.concat([answer, bytes]);
      if (answer.length < 4 || answer.length < 4 + answer.readInt32BE(0)) return;
      resolve(answer.subarray(8));
      socket.destroy();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

function isServing(answer) {
  let at = 0;
  const int32 = () => answer.readInt32BE((at += 4) - 4);
  const int16 = () => answer.readInt16BE((at += 2) - 2);
  const skip = (bytes) => (at += Math.max(0, bytes));
  const array = (read) => Array.from({ length: int32() }, read);
  const brokers = array(() => {
    skip(4);
    skip(int16());
    skip(4);
    skip(int16());
  });
  skip(4);
  const topics = array(() => {
    const failed = int16() !== 0;
    skip(int16());
    skip(1);
    const leads = array(() => {
      const error = int16();
      skip(4);
      const leader = int32();
      array(int32);
      array(int32);
      return error === 0 && leader >= 0;
    });
    return !failed && leads.every(Boolean);
  });
  return brokers.length > 0 && topics.every(Boolean);
}

/** Resolves once the broker serves all its partitions, seconds after its port opens. */
export async function servesAll(port) {
  for (;;) {
    const answer = await ask(port).catch(() => null);
    if (answer !== null && isServing(answer)) return;
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
}
