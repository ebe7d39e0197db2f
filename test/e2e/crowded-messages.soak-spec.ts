import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { RecordingModel } from './harness/recording-model.js';

let app: App;
let model: RecordingModel;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, REPLY_WINDOW_MS: '110000' });
});
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

/** Asks on a connection of its own; the status, or 0 without an answer. */
async function freshly(path: string): Promise<number> {
  const { hostname, port } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname }).on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  let heard = '';
  socket.setEncoding('utf8').on('data', (part: string) => (heard += part));
  await Promise.race([once(socket, 'close'), pause(10_000, undefined, { ref: false })]);
  return Number(heard.split(' ')[1] ?? 0);
}

const posts = (client: Client, count: number) =>
  Array.from({ length: count }, (_, index) => client.say(`waiting-${index}`, 'Hello').catch(() => null));

describe('messages that wait for replies', () => {
  it('of four projects take all connections, and a probe is answered still', async () => {
    const release = model.hold();
    const clients = [app.api, ...(await Promise.all(['two', 'three', 'four'].map((name) => app.otherProject(name))))];
    const waiting: ReturnType<typeof posts> = [];
    const early: unknown[] = [];
    // One project after the other, as the cluster of a busy machine takes a minute for all at once.
    // The harness keeps a few idle connections of its own, which give way.
    for (const client of clients) {
      const added = posts(client, 1_000);
      for (const post of added) void post.then((answer) => early.push(answer?.text));
      waiting.push(...added);
      await eventually(() => expect([model.asked.length, early]).toEqual([waiting.length, []]), 100_000);
    }
    for (let n = 0; n < 10; n++) expect([await freshly('/health'), await freshly('/ready')]).toEqual([200, 200]);
    expect(await freshly('/openapi.json')).toBe(503);
    release();
    expect((await Promise.all(waiting)).filter((answer) => answer?.status === 200)).toHaveLength(4_000);
  });
});
