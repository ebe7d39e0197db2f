import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** The URL that an app listens on, without a trailing slash. */
export function listeningUrl(app: NestFastifyApplication, host: string): string {
  const bound: unknown = app.getHttpServer().address();
  const port = typeof bound === 'object' && bound !== null && 'port' in bound ? String(bound.port) : '';
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
