import { lookup } from 'node:dns/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** Without a trailing slash. */
export function listeningUrl(app: NestFastifyApplication, host: string): string {
  const bound: unknown = app.getHttpServer().address();
  const port = typeof bound === 'object' && bound !== null && 'port' in bound ? String(bound.port) : '';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Listens on one address. For `localhost` Fastify would create a server per address, and only the first has the connection limits. */
export async function listenAt(app: Pick<NestFastifyApplication, 'listen'>, port: number, host: string): Promise<void> {
  await app.listen(port, host === 'localhost' ? (await lookup(host)).address : host);
}
