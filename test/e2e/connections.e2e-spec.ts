import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { API_KEY, App } from './harness/app.js';
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

/** Resolves once the process has used almost no CPU time for a while: a single pause may be the machine's. */
async function restingAgain(): Promise<void> {
  const used = async () => {
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
  };
  for (let quiet = 0, before = await used(); quiet < 3;) {
    await pause(500);
    const now = await used();
    quiet = now - before > 0.1 ? 0 : quiet + 1;
    before = now;
  }
}

describe('connections', () => {
  it('are four thousand at most, and serve again when others have gone', async () => {
    const sockets: Awaited<ReturnType<typeof opened>>[] = [];
    // At once they would overflow what the system keeps of connections that are not accepted yet.
    for (let n = 0; n < 81; n++) sockets.push(...(await Promise.all(Array.from({ length: 50 }, opened))));
    const open = () => sockets.filter((socket) => !socket.destroyed);
    await eventually(() => expect(open().length).toBeLessThanOrEqual(4_000));
    await pause(200);
    expect(open().length).toBeGreaterThan(3_900);
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
      hasty.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(64));
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

  it('that do not take what a project reads make that project wait, and no other, until they go', async () => {
    const content = '🦜'.repeat(7_999);
    const first = await app.api.say('long', content);
    for (let n = 1; n < 50; n++) await app.api.say('long', content);
    const page = `GET /v1/conversations/${first.body.conversation_id}/messages?limit=100 HTTP/1.1\r\nHost: x\r\n`;
    const idle = await Promise.all(Array.from({ length: 24 }, opened));
    for (const socket of idle) {
      socket.pause();
      socket.write(`${page}Authorization: Bearer ${API_KEY}\r\n\r\n`.repeat(4));
    }
    const other = await app.otherProject();
    let isAnswered = false;
    await restingAgain();
    const own = app.api.get('/v1/customers').then((answer) => {
      isAnswered = true;
      return answer;
    });
    for (let n = 0; n < 5; n++) expect((await other.get('/v1/customers')).status).toBe(200);
    expect(isAnswered).toBe(false);
    for (const socket of idle) socket.destroy();
    expect((await own).status).toBe(200);
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
