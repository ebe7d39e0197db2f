import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect as startTls, createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@ports/clock.port';
import type { DialTimings } from './dial-timings.js';
import { HandshakePace, HandshakeStream } from './handshake-stream.js';
import { opened } from './opened.js';
import type { Reached, Target } from './target.js';

/** TLS session tickets per connection. Servers usually send one or two; each costs a key derivation, and no HTTP limit counts them. */
const MAX_TICKETS = 16;
const SESSIONS_CACHED = 512;

/** Runs TLS over connections, at each project's pace. Stops a receiver that sends endless session tickets. */
export class TlsConnectors {
  private context: SecureContext | undefined;
  private readonly paces = new Map<string, HandshakePace>();
  /** By project and origin: a resumed session saves verifying certificates. */
  private readonly sessions = new LRUCache<string, Buffer>({ max: SESSIONS_CACHED });

  constructor(
    private readonly clock: Clock,
    private readonly trustedAuthorities?: string,
  ) {}

  /**
   * Runs TLS over a raw connection from `reach`. Some receivers fail every resumed handshake but could make a full one: the session is then
   * forgotten and the connection made once more. Rejects, with the connection destroyed, on failure and on abort.
   */
  async connect(
    projectId: string,
    target: Target,
    reach: () => Promise<Socket>,
    { signal, timings }: { readonly signal: AbortSignal; readonly timings: DialTimings },
  ): Promise<Reached> {
    const shakeHands = (socket: Socket, known?: Buffer) =>
      timings.note('tlsMs', () => this.shakeHands(projectId, target, socket, signal, known));
    const key = keyOf(projectId, target);
    const session = this.sessions.get(key);
    const raw = await reach();
    try {
      return await shakeHands(raw, session);
    } catch (error) {
      if (!session) throw error;
      if (this.sessions.get(key) === session) this.sessions.delete(key);
      if (signal.aborted) throw error;
    }
    return shakeHands(await reach());
  }

  private async shakeHands(
    projectId: string,
    target: Target,
    raw: Socket,
    signal: AbortSignal,
    session?: Buffer,
  ): Promise<Reached> {
    const { hostname } = target;
    const address = raw.remoteAddress ?? '';
    const stream = new HandshakeStream(raw, this.paceOf(projectId));
    const socket = startTls({
      socket: stream as unknown as Socket,
      host: hostname,
      servername: isIP(hostname) ? '' : hostname,
      secureContext: this.secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...(session ? { session } : {}),
    });
    let tickets = 0;
    socket.on('session', (ticket: Buffer) => {
      this.sessions.set(keyOf(projectId, target), ticket);
      if (++tickets > MAX_TICKETS) socket.destroy(new Error('too many TLS session tickets'));
    });
    try {
      await opened(socket, 'secureConnect', signal);
    } catch (error) {
      stream.destroy();
      throw error;
    }
    stream.handshakeIsOver();
    return { socket, address };
  }

  private paceOf(projectId: string): HandshakePace {
    const known = this.paces.get(projectId);
    if (known) return known;
    const pace = new HandshakePace(this.clock);
    this.paces.set(projectId, pace);
    return pace;
  }

  /** Created on first use: reading the certificate authorities takes a tenth of a start. */
  private get secureContext(): SecureContext {
    const ca = this.trustedAuthorities;
    // Certificates of a renegotiation would escape the handshake's limits.
    const secureOptions = constants.SSL_OP_NO_RENEGOTIATION;
    this.context ??= createSecureContext({ minVersion: 'TLSv1.2', secureOptions, ...(ca === undefined ? {} : { ca }) });
    return this.context;
  }
}

function keyOf(projectId: string, { origin }: Target): string {
  return `${projectId} ${origin}`;
}
