import { FakeClock } from '@testing/fake-clock';
import { Receiver } from '@testing/receiver';
import { SocketWebhookSender } from '../webhook-sender.sockets.js';
import { OpenAddressGuard } from './open-address-guard.js';

describe('the guard of the operator’s address', () => {
  const guard = new OpenAddressGuard();

  it.each(['http://10.0.0.5:81/hooks', 'http://localhost/hooks', 'https://monitor.internal/hooks?key=1', 'http://[::1]:25/'])(
    'admits %s',
    (url) => expect(guard.objection(url)).toBeNull(),
  );
  it.each(['127.0.0.1', '169.254.169.254', '::1', 'fd00::1'])('admits the address %s', () => expect(guard.admits()).toBe(true));
  it.each(['127.0.0.1', 'localhost'])('lets a post reach %s', async (host) => {
    const receiver = await Receiver.http((_, response) => response.writeHead(204).end());
    const sender = new SocketWebhookSender(guard, new FakeClock(), { timeoutMs: 15_000 });
    const url = receiver.url('/hooks').replace('127.0.0.1', host);
    const result = await sender.send({ projectId: 'operator', url, headers: {}, body: '{}' });
    expect(result).toMatchObject({ kind: 'answered', status: 204 });
    await Promise.all([sender.close(), receiver.close()]);
  });
});
