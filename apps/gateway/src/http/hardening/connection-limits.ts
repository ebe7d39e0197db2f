import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { LogThrottle } from '@application/runtime/log-throttle';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { Clock } from '@ports/clock.port';
import { hasBody } from '../body/when-read-to-the-end.js';
import { MAX_CONNECTIONS, RESERVED_CONNECTIONS } from '../pipeline/request-bounds.js';
import { clientNetwork } from './client-network.js';
import { ConnectionPlaces } from './connection-places.js';

/** Always answered: an orchestrator restarts a service whose probes fail. */
const ALWAYS_ANSWERED: ReadonlySet<string | undefined> = new Set(['/health', '/ready']);
const CLOSED = new Error('connections were closed, because all places are taken or one address has half of them');

@Injectable()
export class ConnectionLimits {
  private readonly places = new ConnectionPlaces({ most: MAX_CONNECTIONS, reserve: RESERVED_CONNECTIONS });
  /** Unanswered requests by connection; counted once received in full. */
  private readonly unanswered = new WeakMap<Socket, number>();
  private readonly throttle: LogThrottle;

  constructor(
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    clock: Clock,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Call after `RequestPipeline.install`, which sets the request state, and before the server listens. */
  install(fastify: FastifyInstance): void {
    const server = fastify.server as Server;
    server.on('connection', (socket: Socket) => this.enter(socket));
    server.prependListener('request', (request, response) => this.follow(request, response));
    fastify.addHook('onRequest', (request, reply, done) => {
      if (!this.places.isReserved(request.raw.socket)) return done();
      void reply.header('connection', 'close');
      done(ALWAYS_ANSWERED.has(request.routeOptions.url) ? undefined : noPlace());
    });
    this.metrics.gauge('http_connections', 'Connections of clients that are open.', () => this.places.taken);
    const help = 'Connections that were closed to make room for others, to keep an address to its share, or for want of room.';
    this.metrics.counters('http_connections_closed_total', help, 'reason', () => this.places.closed);
  }

  private enter(socket: Socket): void {
    const before = { ...this.places.closed };
    socket.once('close', () => this.places.leave(socket));
    this.places.enter(socket, clientNetwork(socket.remoteAddress ?? ''));
    const { idle, share, refused } = this.places.closed;
    if (idle + share + refused === before.idle + before.share + before.refused || !this.throttle.shouldLog(CLOSED)) return;
    this.logger.warn(`${CLOSED.message}: since the start ${idle} idle, ${share} over the share, ${refused} refused`);
  }

  /** A connection is in use from a complete request on; while a body is arriving it may be closed like an idle one. */
  private follow(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (!hasBody(request)) return this.use(socket, response);
    if (!this.unanswered.get(socket)) this.places.rest(socket);
    const use = () => this.use(socket, response);
    request.once('end', use);
    response.once('close', () => request.off('end', use));
  }

  private use(socket: Socket, response: ServerResponse): void {
    this.places.use(socket);
    this.unanswered.set(socket, (this.unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (this.unanswered.get(socket) ?? 1) - 1;
      this.unanswered.set(socket, left);
      if (left === 0) this.places.rest(socket);
    });
  }
}

function noPlace(): DomainError {
  return new DomainError('service_unavailable', 'All connections are in use. Try again.', { retryAfter: 1 });
}
