import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { MAX_REPLY_WINDOW_MS } from '@ports/setting-bounds';
import { limitPipelining } from '../hardening/limit-pipelining.js';
import { MAX_HEADER_BYTES } from './request-bounds.js';
import { parseQuery, plainUrl } from './url.js';

const REQUEST_MUST_ARRIVE_WITHIN_MS = 30_000;
const HEADERS_MUST_ARRIVE_WITHIN_MS = 10_000;
/** No answer takes this long to begin, so its client no longer reads. After a partial write Node waits once more. */
const SILENT_AT_MOST_MS = MAX_REPLY_WINDOW_MS + 30_000;
/** The polling interval for the first two limits. */
const CONNECTIONS_LOOKED_AT_EVERY_MS = 1_000;

/** Settings that the HTTP server takes only in its constructor. */
export function newFastify(): FastifyAdapter {
  const adapter = new FastifyAdapter({
    skipMiddie: true,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_MUST_ARRIVE_WITHIN_MS,
    connectionTimeout: SILENT_AT_MOST_MS,
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_MUST_ARRIVE_WITHIN_MS,
      connectionsCheckingInterval: CONNECTIONS_LOOKED_AT_EVERY_MS,
      requireHostHeader: false,
    },
    rewriteUrl: plainUrl,
    routerOptions: { maxParamLength: MAX_HEADER_BYTES, querystringParser: parseQuery },
  });
  const server = adapter.getInstance().server as Server;
  limitPipelining(server);
  treatAlike(server);
  return adapter;
}

/** Node answers some requests itself, or just hangs up; this makes them ordinary requests. */
function treatAlike(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Nothing else closes this connection, and the client may never do so.
    response.on('finish', () => socket.destroySoon());
    socket.on('error', () => socket.destroy()).resume();
    server.emit('request', request, response);
  });
}

/** No route has a schema, and Fastify's schema compilers would slow down every start. */
function noSchemas(): never {
  throw new Error('routes are checked by their DTOs, not by schemas');
}
