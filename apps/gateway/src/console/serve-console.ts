import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { brotliDecompressSync } from 'node:zlib';
import { routeNotFound } from '../http/routes/routes.js';
import { CONSOLE_FILES, type ConsoleFile } from './console-files.js';

const PAGE = '/admin/';
/** Below `/admin/` these are not the page: the API, its documents and the page's assets. */
const NOT_THE_PAGE = '(?:v1|openapi\\.json|docs|assets)';
const PLACE = `/admin/:place(^(?!${NOT_THE_PAGE}$).+$)`;
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');
const A_YEAR_SECONDS = 31_536_000;

/** Serves the console under `/admin/`, and leads to it from `/`. Must be called before the application is initialised. */
export function serveConsole(fastify: FastifyInstance): void {
  const page = (request: FastifyRequest, reply: FastifyReply) => sendPage(request, reply);
  fastify.get('/', (_, reply) => reply.redirect(PAGE));
  fastify.get('/admin', (_, reply) => reply.redirect(PAGE));
  for (const path of [PAGE, PLACE, `${PLACE}/*`]) fastify.get(path, page);
  fastify.get<{ Params: { name: string } }>('/admin/assets/:name', (request, reply) => {
    const { name } = request.params;
    const file = Object.hasOwn(CONSOLE_FILES.assets, name) ? CONSOLE_FILES.assets[name] : undefined;
    if (!file) throw routeNotFound();
    void reply.header('cache-control', `public, max-age=${A_YEAR_SECONDS}, immutable`);
    return send(file, request, reply);
  });
}

function sendPage(request: FastifyRequest, reply: FastifyReply) {
  if (!CONSOLE_FILES.page) throw routeNotFound();
  void reply.header('cache-control', 'no-cache').header('content-security-policy', POLICY);
  return send(CONSOLE_FILES.page, request, reply);
}

function send(file: ConsoleFile, { headers }: FastifyRequest, reply: FastifyReply) {
  void reply
    .header('etag', file.etag)
    .header('vary', 'Accept-Encoding')
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .type(file.type);
  if (headers['if-none-match'] === file.etag) return reply.status(304).send();
  const encoding = encodingFor(headers['accept-encoding']);
  if (encoding === null) return reply.send(brotliDecompressSync(Buffer.from(file.br, 'base64')));
  return reply.header('content-encoding', encoding).send(Buffer.from(file[encoding], 'base64'));
}

/** The smaller one that the client takes; null where it takes neither. */
function encodingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | null {
  const takes = (name: string) => new RegExp(`(?:^|[,\\s])${name}(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))(?=[\\s,;]|$)`, 'i');
  const text = String(accepted ?? '');
  return (['br', 'gzip'] as const).find((name) => takes(name).test(text)) ?? null;
}
