import { connect as dial, isIP, type Socket } from 'node:net';
import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { localTroubleBehind } from '../local-trouble.js';
import type { NodeAddressGuard } from './address-guard.node.js';
import { DialTimings } from './dial-timings.js';
import { opened } from './opened.js';
import type { Addresses, Resolve } from './resolve-promptly.js';
import type { Reached, Target } from './target.js';
import { TlsConnectors } from './tls-connectors.js';

export class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
}

export class UnresolvedName extends Error {
  override readonly name = 'UnresolvedName';
}

export interface ConnectorOptions {
  readonly timeoutMs: number;
  readonly resolve: Resolve;
  /** PEM of authorities to trust instead of the usual ones. */
  readonly trustedAuthorities?: string;
}

const MAX_ADDRESSES_TRIED = 8;
/** A name can have thousands of addresses, and checking each takes time. */
const MAX_ADDRESSES_JUDGED = 64;
/** With less, a distant host with several addresses would be given up before it can answer. */
const ADDRESS_TRIAL_MS = 2000;

/**
 * Connects only to addresses that the guard admits. Stops server-side request forgery: addresses are checked when dialled, so neither a
 * name that resolves to an internal address nor one that changes after registration (DNS rebinding) leads inside.
 */
export class GuardedConnectors {
  private readonly lookups = new Map<string, Promise<Addresses>>();
  private readonly tls: TlsConnectors;

  constructor(
    private readonly guard: NodeAddressGuard,
    private readonly clock: Clock,
    private readonly options: ConnectorOptions,
  ) {
    this.tls = new TlsConnectors(clock, options.trustedAuthorities);
  }

  /** Notes in `timings` how long the steps took. */
  async connect(projectId: string, target: Target, signal: AbortSignal, timings = new DialTimings(this.clock)): Promise<Reached> {
    const reach = () => this.reach(projectId, target, signal, timings);
    if (target.isSecure) return this.tls.connect(projectId, target, reach, { signal, timings });
    const socket = await reach();
    return { socket, address: socket.remoteAddress ?? '' };
  }

  private async reach(projectId: string, target: Target, signal: AbortSignal, timings: DialTimings): Promise<Socket> {
    const { known, late } = await this.addressesOf(target.hostname, projectId, timings);
    return timings.note('connectMs', () =>
      late ? this.dialEither(target, known, late, signal) : this.dial(target, known, signal),
    );
  }

  /** Dials the known addresses, and the late ones once that fails or is slow; the first connection wins. */
  private async dialEither(
    target: Target,
    known: readonly string[],
    late: Promise<readonly string[]>,
    signal: AbortSignal,
  ): Promise<Socket> {
    const isDecided = new AbortController();
    const undecided = AbortSignal.any([signal, isDecided.signal]);
    const first = this.dial(target, known, undecided);
    const isReached = first.then(
      () => true,
      () => false,
    );
    const second = async () => {
      if (await inTime(this.clock, this.trialMs, isReached)) return first;
      const others = await late;
      return others.length === 0 ? first : this.dial(target, others, undecided);
    };
    const either = [first, second()];
    try {
      const won = await Promise.any(either);
      // The other may have connected at the same moment.
      for (const socket of either) void socket.then((made) => made === won || made.destroy()).catch(() => undefined);
      return won;
    } finally {
      isDecided.abort();
    }
  }

  private async dial({ hostname: host, port }: Target, addresses: readonly string[], signal: AbortSignal): Promise<Socket> {
    signal.throwIfAborted();
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const socket = dial({
      host,
      port,
      lookup: (_name, _options, callback) => callback(null, found),
      noDelay: true,
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: this.trialMs,
    });
    await opened(socket, 'connect', signal);
    const reached = socket.remoteAddress;
    if (reached !== undefined && this.guard.admits(reached)) return socket;
    socket.destroy();
    if (reached !== undefined) throw new BlockedAddress();
    throw Object.assign(new Error('closed right after connecting'), { code: 'ECONNRESET' });
  }

  private get trialMs(): number {
    return Math.max(10, Math.min(ADDRESS_TRIAL_MS, Math.floor(this.options.timeoutMs / 4)));
  }

  private async addressesOf(name: string, projectId: string, timings: DialTimings): Promise<Addresses> {
    if (isIP(name)) return { known: this.dialable([name]) };
    if (!this.guard.isLocalhost(name)) return timings.note('dnsMs', () => this.ask(name, projectId));
    if (this.guard.loopback.length === 0) throw new BlockedAddress();
    return { known: this.guard.loopback };
  }

  /** The system resolves few names at a time, so concurrent lookups of a name by a project share one. */
  private ask(name: string, projectId: string): Promise<Addresses> {
    const key = `${projectId} ${name}`;
    const underWay = this.lookups.get(key);
    if (underWay) return underWay;
    const answer = this.options
      .resolve(name, projectId)
      .catch(async (cause: unknown) => {
        const code = await localTroubleBehind(cause);
        throw code === null ? new UnresolvedName('', { cause }) : Object.assign(new Error('not looked up', { cause }), { code });
      })
      .then(({ known, late }) => ({ known: this.dialable(known), ...(late ? { late: this.dialableLater(late) } : {}) }))
      .finally(() => this.lookups.delete(key));
    this.lookups.set(key, answer);
    return answer;
  }

  private dialableLater(late: Promise<readonly string[]>): Promise<readonly string[]> {
    const dialable = late.then((addresses) => (addresses.length === 0 ? [] : this.dialable(addresses)));
    // They may stay unused.
    dialable.catch(() => undefined);
    return dialable;
  }

  /** The addresses to dial; a name with one forbidden address is refused as a whole. */
  private dialable(addresses: readonly string[]): readonly string[] {
    if (addresses.length === 0) throw new UnresolvedName();
    if (!addresses.slice(0, MAX_ADDRESSES_JUDGED).every((address) => this.guard.admits(address))) throw new BlockedAddress();
    return addresses.slice(0, MAX_ADDRESSES_TRIED);
  }
}
