import { isIP } from 'node:net';
import { listenAt } from './listening-url.js';

async function hostFor(host: string): Promise<string | undefined> {
  const listen = jest.fn<Promise<void>, [number, string]>(() => Promise.resolve());
  await listenAt({ listen } as never, 8080, host);
  return listen.mock.calls[0]?.[1];
}

it('a server listens at one address of localhost', async () => expect(isIP((await hostFor('localhost')) ?? '')).not.toBe(0));

it.each(['127.0.0.1', '::1', '0.0.0.0', 'gateway.internal'])('a server listens where it is told to: %s', async (host) =>
  expect(await hostFor(host)).toBe(host),
);
