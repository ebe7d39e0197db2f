import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';

let app: App;
beforeEach(async () => void (app = await App.start()));
afterEach(() => app.dispose());

async function opened(): Promise<Socket> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

async function megabytesInUse(): Promise<number> {
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 2 ** 20;
}

describe('connections', () => {
  it('are a thousand at most, and serve again when others have gone', async () => {
    const sockets = await Promise.all(Array.from({ length: 1_050 }, opened));
    const open = () => sockets.filter((socket) => !socket.destroyed);
    await eventually(() => expect(open().length).toBeLessThanOrEqual(1_000));
    await pause(200);
    expect(open().length).toBeGreaterThan(900);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await fetch(`${app.url}/health`)).status).toBe(200));
  });

  it('that say nothing end without a word', async () => {
    const silent = await opened();
    let answer = '';
    silent.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    await once(silent, 'close');
    expect(answer).toBe('');
  });

  it('that asked for a tunnel end with the answer, whatever their clients do', async () => {
    const tunnels = await Promise.all(Array.from({ length: 1_000 }, opened));
    for (const tunnel of tunnels) {
      tunnel.once('data', () => tunnel.write('what the tunnel was wanted for'));
      tunnel.write('CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    }
    await Promise.all(tunnels.map((tunnel) => once(tunnel, 'close')));
    await eventually(async () => expect((await fetch(`${app.url}/health`)).status).toBe(200));
  });

  it('that go before their answers leave nothing under way, and hold up no end', async () => {
    for (let n = 0; n < 5; n++) {
      const hasty = await opened();
      hasty.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
      await once(hasty, 'data');
      hasty.resetAndDestroy();
    }
    await eventually(async () =>
      expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(/^http_requests_in_flight 1$/m),
    );
    const before = performance.now();
    expect(await app.stop()).toBe(0);
    expect(performance.now() - before).toBeLessThan(10_000);
  });

  it('that ask for much at once and read nothing of it fill no memory', async () => {
    const before = await megabytesInUse();
    const greedy = await opened();
    greedy.pause();
    greedy.write('GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(800));
    await pause(2_000);
    expect((await megabytesInUse()) - before).toBeLessThan(400);
    greedy.destroy();
  });

  it('end when a request takes longer than ten seconds for its headers, or thirty in all', async () => {
    const slowly = async (bytes: string) => {
      const slow = await opened();
      const since = performance.now();
      let answer = '';
      slow.on('data', (chunk: Buffer) => (answer += chunk.toString()));
      slow.write(bytes);
      await once(slow, 'close');
      expect(answer).toMatch(/^HTTP\/1\.1 400 .*service-should-retry: true.*did not arrive in time/s);
      return performance.now() - since;
    };
    const json = 'Content-Type: application/json\r\nContent-Length: 40';
    const [headers, whole] = await Promise.all([
      slowly('GET /health HTTP/1.1\r\nHost: x\r\n'),
      slowly(`POST /admin/v1/login HTTP/1.1\r\nHost: x\r\n${json}\r\n\r\n{`),
    ]);
    expect(headers).toBeGreaterThan(9_500);
    expect(headers).toBeLessThan(25_000);
    expect(whole).toBeGreaterThan(29_500);
    expect(whole).toBeLessThan(45_000);
  });
});
