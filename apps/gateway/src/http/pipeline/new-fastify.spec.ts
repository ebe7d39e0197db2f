import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { MAX_REPLY_WINDOW_MS } from '@ports/setting-bounds';
import { newFastify } from './new-fastify.js';

describe('a connection', () => {
  it('is closed when its client reads nothing of an answer, later than any answer begins', () => {
    const { timeout } = newFastify().getInstance().server as Server;
    expect(timeout).toBeGreaterThan(MAX_REPLY_WINDOW_MS + 10_000);
    expect(timeout).toBeLessThan(180_000);
  });

  it.each([
    [64, 64, 64],
    [1_000, 64, 0],
  ])('with %d requests behind one another has %d begun and %d answered', async (sent, most, answered) => {
    const app = newFastify().getInstance();
    let begun = 0;
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));
    app.get('/', async () => {
      begun += 1;
      setTimeout(open, 100);
      await opened;
      return 'ok';
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    client.write(get.repeat(sent - 1) + get.replace('x\r\n', 'x\r\nConnection: close\r\n'));
    let text = '';
    client.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
    await new Promise((resolve) => client.once('close', resolve));
    await app.close();
    expect(begun).toBe(most);
    expect(text.split('HTTP/1.1 200').length - 1).toBe(answered);
  });
});
