import { constants } from 'node:crypto';
import { isIP, type Socket } from 'node:net';
import { connect as startTls, createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import type { Clock } from '@ports/clock.port';
import { HandshakePace, HandshakeStream } from './handshake-stream.js';
import { opened } from './opened.js';
import type { Reached, Target } from './target.js';

/** TLS session tickets per connection. Usual servers send one or two; each costs a key derivation, and no HTTP limit counts them. */
const MAX_TICKETS = 16;
const SESSIONS_CACHED = 512;

/** Speaks TLS over connections, at each project's pace. Stops a receiver that sends TLS session tickets without end. */
export class TlsConnectors {
  private context: SecureContext | undefined;
  private readonly paces = new Map<string, HandshakePace>();
  /** By project and origin: a TLS session that is resumed saves the receiver's certificates. */
  private readonly sessions = new LRUCache<string, Buffer>({ max: SESSIONS_CACHED });

  /** `trustedAuthorities` is the PEM of the authorities to trust instead of the usual ones. */
  constructor(
    private readonly clock: Clock,
    private readonly trustedAuthorities?: string,
  ) {}

  /**
   * Speaks TLS over a raw connection that `reach` makes. Some receivers fail every handshake that resumes a session, where they
   * could make a whole one: such a session is forgotten, and the connection is made once more without it. Rejects, with the
   * connection destroyed, where the handshake fails and once the signal aborts.
   */
  async connect(projectId: string, target: Target, reach: () => Promise<Socket>, signal: AbortSignal): Promise<Reached> {
    const key = keyOf(projectId, target);
    const session = this.sessions.get(key);
    const raw = await reach();
    try {
      return await this.shakeHands(projectId, target, raw, signal, session);
    } catch (error) {
      if (!session) throw error;
      if (this.sessions.get(key) === session) this.sessions.delete(key);
      if (signal.aborted) throw error;
    }
    return this.shakeHands(projectId, target, await reach(), signal);
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

  /** Created at first use: reading the certificate authorities takes a tenth of a start. */
  private get secureContext(): SecureContext {
    const ca = this.trustedAuthorities;
    // Certificates of a renegotiation would escape the limits of the handshake.
    const secureOptions = constants.SSL_OP_NO_RENEGOTIATION;
    this.context ??= createSecureContext({ minVersion: 'TLSv1.2', secureOptions, ...(ca === undefined ? {} : { ca }) });
    return this.context;
  }
}

function keyOf(projectId: string, { origin }: Target): string {
  return `${projectId} ${origin}`;
}
