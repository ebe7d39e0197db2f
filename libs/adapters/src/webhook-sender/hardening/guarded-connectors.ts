import { constants } from 'node:crypto';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { Clock } from '@ports/clock.port';
import type { NodeAddressGuard } from './address-guard.node.js';
import { HandshakePace, HandshakeStream } from './handshake-stream.js';
import type { Resolve } from './resolve-promptly.js';

/** The target, or one of the addresses behind its name, is not to be connected to. */
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
/** A name can have thousands, and to judge each takes a while. */
const MOST_ADDRESSES_JUDGED = 64;
/** Shorter, and a far host with several addresses is given up before it can answer. */
const ADDRESS_TRIAL_MS = 2000;
/** Tickets for the next handshake, of which usual servers send one or two: no parser sees them, and each costs a derivation. */
const MOST_TICKETS = 16;

/** Makes connectors that dial no address the guard does not admit. */
export class GuardedConnectors {
  private context: SecureContext | undefined;
  private readonly asked = new Map<string, Promise<readonly string[]>>();
  private readonly paces = new Map<string, HandshakePace>();

  constructor(
    private readonly guard: NodeAddressGuard,
    private readonly clock: Clock,
    private readonly options: ConnectorOptions,
  ) {}

  /** Connections of one project. */
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
    // A literal address is dialled without any lookup.
    if (isIP(target.hostname) && !this.guard.admits(target.hostname)) {
      return queueMicrotask(() => callback(new BlockedAddress(), null));
    }
    dial(target, (...[error, socket]) => {
      if (error) return callback(error, null);
      const reached = socket.remoteAddress;
      if (reached !== undefined && this.guard.admits(reached)) return callback(null, socket);
      socket.on('error', () => undefined).destroy();
      callback(
        reached === undefined ? Object.assign(new Error('closed at once'), { code: 'ECONNRESET' }) : new BlockedAddress(),
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
          if (++tickets > MOST_TICKETS) socket.destroy(new Error('tickets without end'));
        });
        // TLS over a stream knows of no address.
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

  /** Made when it is first needed: reading the authorities takes as long as a tenth of a start. */
  private get secureContext(): SecureContext {
    const ca = this.options.trustedAuthorities;
    // Certificates that are shown later would be neither counted nor paced.
    const secureOptions = constants.SSL_OP_NO_RENEGOTIATION;
    this.context ??= createSecureContext({ minVersion: 'TLSv1.2', secureOptions, ...(ca === undefined ? {} : { ca }) });
    return this.context;
  }

  private async addressesOf(name: string, projectId: string): Promise<readonly string[]> {
    if (!this.guard.isLocalhost(name)) return this.ask(name, projectId);
    if (this.guard.loopback.length === 0) throw new BlockedAddress();
    return this.guard.loopback;
  }

  /** The system answers a few names at a time only, so a project never asks for one name twice at once. */
  private ask(name: string, projectId: string): Promise<readonly string[]> {
    const key = `${projectId} ${name}`;
    const asked = this.asked.get(key);
    if (asked) return asked;
    const answer = this.options
      .resolve(name, projectId)
      .catch((cause: unknown) => {
        throw new UnresolvedName('', { cause });
      })
      .then((addresses) => this.dialled(addresses))
      .finally(() => this.asked.delete(key));
    this.asked.set(key, answer);
    return answer;
  }

  /** Those of a name that may be dialled: one that must not spoils all the others. */
  private dialled(addresses: readonly string[]): readonly string[] {
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
