import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { MAX_REPLY_WINDOW_MS } from '@ports/setting-bounds';
import { limitPipelining } from '../hardening/limit-pipelining.js';
import { MAX_HEADER_BYTES } from './request-bounds.js';
import { parseQuery, plainUrl } from './url.js';

const REQUEST_MUST_ARRIVE_WITHIN_MS = 30_000;
const HEADERS_MUST_ARRIVE_WITHIN_MS = 10_000;
/**
 * No answer takes so long to begin: a client that reads nothing of its answer for so long does not want it. Node waits once
 * more where it had written a part.
 */
const SILENT_AT_MOST_MS = MAX_REPLY_WINDOW_MS + 30_000;
/** How late the first two are noticed at most. */
const CONNECTIONS_LOOKED_AT_EVERY_MS = 1_000;

/** The HTTP server, as far as it can only be configured before it exists. */
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

/** Node answers some requests by itself, or only hangs up. Here they are requests like any other. */
function treatAlike(server: Server): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    // Nobody else watches over this connection any more: it must not depend on what its client still sends, or does not.
    response.on('finish', () => socket.destroySoon());
    socket.on('error', () => socket.destroy()).resume();
    server.emit('request', request, response);
  });
}

/** No route has a schema: what compiles them is a third of Fastify, and would be loaded by every start. */
function noSchemas(): never {
  throw new Error('routes are checked by their DTOs, not by schemas');
}
