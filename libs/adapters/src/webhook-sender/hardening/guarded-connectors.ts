import { constants } from 'node:crypto';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { Clock } from '@ports/clock.port';
import type { NodeAddressGuard } from './address-guard.node.js';
import { HandshakePace, HandshakeStream } from './handshake-stream.js';
import type { Resolve } from './resolve-promptly.js';

/** The target, or one of the addresses behind its name, must not be connected to. */
export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

export class UnresolvedName extends Error {
  override readonly name = 'UnresolvedName';
}

export interface ConnectorOptions {
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  /** PEM of the authorities to trust instead of the usual ones. */
  readonly trustedAuthorities?: string;
}

const MOST_ADDRESSES_TRIED = 8;
/** A name can have thousands of addresses, and checking each takes time. */
const MOST_ADDRESSES_JUDGED = 64;
/** With less, a distant host with several addresses is given up before it can answer. */
const ADDRESS_TRIAL_MS = 2000;
/** TLS session tickets per connection. Usual servers send one or two; each costs a key derivation, and no HTTP limit counts them. */
const MOST_TICKETS = 16;

/**
 * Makes connectors that dial only addresses which the guard admits. Stops server-side request forgery: the address is checked
 * where it is dialled, so that neither a name that resolves to an internal address nor one that changes its answer after the
 * endpoint was registered (DNS rebinding) leads inside. Also stops a receiver that sends TLS session tickets without end.
 */
export class GuardedConnectors {
  private context: SecureContext | undefined;
  private readonly lookups = new Map<string, Promise<readonly string[]>>();
  private readonly paces = new Map<string, HandshakePace>();

  constructor(
    private readonly guard: NodeAddressGuard,
    private readonly clock: Clock,
    private readonly options: ConnectorOptions,
  ) {}

  /** A connector for the connections of one project. */
  make(projectId: string): buildConnector.connector {
    const timeout = this.options.timeoutMs;
    const dial = buildConnector({
      lookup: this.lookupFor(projectId),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.max(10, Math.min(ADDRESS_TRIAL_MS, Math.floor(timeout / 4))),
      timeout,
    });
    const reach: buildConnector.connector = (target, callback) => this.reach(dial, target, callback);
    const secure = this.securedBy(
      buildConnector({ timeout, maxCachedSessions: 2, secureContext: this.secureContext, rejectUnauthorized: true }),
      this.paceOf(projectId),
    );
    return (target, callback) => {
      if (target.protocol !== 'https:') return reach(target, callback);
      const port = target.port === '' ? '443' : target.port;
      reach({ ...target, port, protocol: 'http:' }, (...[error, socket]) => {
        if (error) callback(error, null);
        else secure(target, socket, callback);
      });
    };
  }

  private reach(dial: buildConnector.connector, target: buildConnector.Options, callback: buildConnector.Callback): void {
    // A literal address is dialled without a lookup, so the lookup cannot check it.
    if (isIP(target.hostname) && !this.guard.admits(target.hostname)) {
      return queueMicrotask(() => callback(new BlockedAddress(), null));
    }
    dial(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      const reached = socket.remoteAddress;
      if (reached !== undefined && this.guard.admits(reached)) return callback(null, socket);
      socket.on('error', () => undefined).destroy();
      callback(
        reached === undefined
          ? Object.assign(new Error('closed right after connecting'), { code: 'ECONNRESET' })
          : new BlockedAddress(),
        null,
      );
    });
  }

  private securedBy(connect: buildConnector.connector, pace: HandshakePace) {
    return (target: buildConnector.Options, reached: Socket, callback: buildConnector.Callback): void => {
      const stream = new HandshakeStream(reached, pace);
      connect({ ...target, httpSocket: stream as unknown as Socket }, (...[error, socket]) => {
        if (error) {
          stream.destroy();
          return callback(error, null);
        }
        stream.handshakeIsOver();
        let tickets = 0;
        socket.on('session', () => {
          if (++tickets > MOST_TICKETS) socket.destroy(new Error('too many TLS session tickets'));
        });
        // A TLS socket over a stream has no address of its own.
        Object.defineProperty(socket, 'remoteAddress', { value: reached.remoteAddress });
        callback(null, socket);
      });
    };
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
    const ca = this.options.trustedAuthorities;
    // Certificates of a renegotiation would escape the limits of the handshake.
    const secureOptions = constants.SSL_OP_NO_RENEGOTIATION;
    this.context ??= createSecureContext({ minVersion: 'TLSv1.2', secureOptions, ...(ca === undefined ? {} : { ca }) });
    return this.context;
  }

  private async addressesOf(name: string, projectId: string): Promise<readonly string[]> {
    if (!this.guard.isLocalhost(name)) return this.ask(name, projectId);
    if (this.guard.loopback.length === 0) throw new BlockedAddress();
    return this.guard.loopback;
  }

  /** The system resolves only a few names at a time, so concurrent lookups of one name by a project share one. */
  private ask(name: string, projectId: string): Promise<readonly string[]> {
    const key = `${projectId} ${name}`;
    const underWay = this.lookups.get(key);
    if (underWay) return underWay;
    const answer = this.options
      .resolve(name, projectId)
      .catch((cause: unknown) => {
        throw new UnresolvedName('', { cause });
      })
      .then((addresses) => this.dialable(addresses))
      .finally(() => this.lookups.delete(key));
    this.lookups.set(key, answer);
    return answer;
  }

  /** The addresses to dial; a name with a single forbidden address is refused as a whole. */
  private dialable(addresses: readonly string[]): readonly string[] {
    if (addresses.length === 0) throw new UnresolvedName();
    if (!addresses.slice(0, MOST_ADDRESSES_JUDGED).every((address) => this.guard.admits(address))) throw new BlockedAddress();
    return addresses.slice(0, MOST_ADDRESSES_TRIED);
  }

  private lookupFor(projectId: string): LookupFunction {
    return (name, { all }, callback) => {
      this.addressesOf(name, projectId).then(
        (addresses) => {
          const found = addresses.map((address) => ({ address, family: isIP(address) }));
          if (all) callback(null, found);
          else callback(null, found[0]?.address ?? '', found[0]?.family);
        },
        (error: Error) => callback(error, []),
      );
    };
  }
}
