import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { NodeAddressGuard } from './address-guard.node.js';
import type { Resolve } from './webhook-sender.names.js';

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

/** Makes connectors that dial no address the guard does not admit. */
export class GuardedConnectors {
  private context: SecureContext | undefined;
  private readonly asked = new Map<string, Promise<readonly string[]>>();

  constructor(
    private readonly guard: NodeAddressGuard,
    private readonly options: ConnectorOptions,
  ) {}

  make(): buildConnector.connector {
    const connect = buildConnector({
      lookup: this.lookup,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.max(10, Math.min(ADDRESS_TRIAL_MS, Math.floor(this.options.timeoutMs / 4))),
      timeout: this.options.timeoutMs,
      maxCachedSessions: 2,
      secureContext: this.secureContext,
      rejectUnauthorized: true,
    });
    return (target, callback) => {
      // A literal address is dialled without any lookup.
      if (isIP(target.hostname) && !this.guard.admits(target.hostname)) {
        queueMicrotask(() => callback(new BlockedAddress(), null));
        return;
      }
      connect(target, (...[error, socket]) => {
        if (error) return callback(error, null);
        const reached = socket.remoteAddress;
        if (reached !== undefined && this.guard.admits(reached)) return callback(null, socket);
        socket.on('error', () => undefined).destroy();
        callback(
          reached === undefined ? Object.assign(new Error('closed at once'), { code: 'ECONNRESET' }) : new BlockedAddress(),
          null,
        );
      });
    };
  }

  /** Made when it is first needed: reading the authorities takes as long as a tenth of a start. */
  private get secureContext(): SecureContext {
    const ca = this.options.trustedAuthorities;
    this.context ??= createSecureContext({ minVersion: 'TLSv1.2', ...(ca === undefined ? {} : { ca }) });
    return this.context;
  }

  private async addressesOf(name: string): Promise<readonly string[]> {
    if (!this.guard.isLocalhost(name)) return this.ask(name);
    if (this.guard.loopback.length === 0) throw new BlockedAddress();
    return this.guard.loopback;
  }

  /** The system answers a few names at a time only, so one name is never asked for twice at once. */
  private ask(name: string): Promise<readonly string[]> {
    const asked = this.asked.get(name);
    if (asked) return asked;
    const answer = this.options
      .resolve(name)
      .catch((cause: unknown) => {
        throw new UnresolvedName('', { cause });
      })
      .then((addresses) => this.dialled(addresses))
      .finally(() => this.asked.delete(name));
    this.asked.set(name, answer);
    return answer;
  }

  /** Those of a name that may be dialled: one that must not spoils all the others. */
  private dialled(addresses: readonly string[]): readonly string[] {
    if (addresses.length === 0) throw new UnresolvedName();
    if (!addresses.slice(0, MOST_ADDRESSES_JUDGED).every((address) => this.guard.admits(address))) throw new BlockedAddress();
    return addresses.slice(0, MOST_ADDRESSES_TRIED);
  }

  private readonly lookup: LookupFunction = (name, { all }, callback) => {
    this.addressesOf(name).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (all) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
