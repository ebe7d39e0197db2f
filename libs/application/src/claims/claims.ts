import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ClaimTaken, claimDecider, type Claim, type Claimant, type ClaimEvent } from '@domain/claim/claim.decider';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { Secrets } from '@ports/secrets.port';
import { causedBy } from '../runtime/caused-by.js';
import type { CommandOrigin } from '../runtime/request-context.js';
import { recordsOf } from '../streams/stream-records.js';
import { StreamRunner } from '../streams/stream-runner.js';

export type ClaimKind = 'thread' | 'phone' | 'email' | 'call' | 'booking';

export interface ClaimRequest<Creation> {
  readonly kind: ClaimKind;
  readonly projectId: string;
  /** The unique value; only its hash becomes part of the stream's name. */
  readonly value: string;
  readonly holder: string;
  readonly creation: Creation;
  readonly origin: CommandOrigin;
  /** Appends a new claim even if `holder` has one already, because that one may count as left. */
  readonly renews?: boolean;
  /** Claims without reading the stream first, and does not cache the claim. A conflict of the append still reveals a holder. */
  readonly seldomHeld?: boolean;
  /** Whether the holder has left, by its own stream. Must first finish an unfinished creation, whose cause is `claim`. */
  readonly hasLeft: (holder: string, creation: Creation, claimedAt: number, claim: ClaimEnvelope) => Promise<boolean>;
}

export type ClaimEnvelope = () => Promise<Envelope>;

export interface Holding<Creation> {
  readonly holder: string;
  readonly creation: Creation;
  /** Whether the requested holder has the value, since this request or an earlier one. */
  readonly won: boolean;
}

const STREAM_NAMES_CACHED = 4_000;
const LATEST_HOLDERS = 16;

/** Unique values across streams: each has a stream of claims. */
@Injectable()
export class Claims {
  /** Stream names by claimed value, cached: every message needs one for its thread, and hashing is slower. */
  private readonly names = new LRUCache<string, string>({ max: STREAM_NAMES_CACHED });

  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  async acquire<Creation>(request: ClaimRequest<Creation>): Promise<Holding<Creation>> {
    const stream = this.stream(request.kind, request.projectId, request.value);
    let state = request.seldomHeld ? this.assumed(stream) : await this.known(stream);
    for (;;) {
      const { claimants, term } = state;
      const own = claimants.find(({ holder }) => holder === request.holder);
      if (own && !request.renews) return { holder: own.holder, creation: own.creation as Creation, won: true };
      const gone = await countGone(claimants, request, this.envelopes(stream, state));
      const present = claimants[gone];
      if (present) return { holder: present.holder, creation: present.creation as Creation, won: false };
      if (await this.succeed(stream, request, term)) {
        if (request.seldomHeld) this.streams.cache.forget(stream);
        return { holder: request.holder, creation: request.creation, won: true };
      }
      state = (await this.streams.load(stream, claimDecider)).state;
    }
  }

  /** The first claimant that has not left, or null. Claims nothing. */
  async present<Creation>(
    claim: Pick<ClaimRequest<Creation>, 'kind' | 'projectId' | 'value' | 'holder' | 'hasLeft'>,
  ): Promise<string | null> {
    const stream = this.stream(claim.kind, claim.projectId, claim.value);
    const state = await this.known(stream);
    const { claimants } = state;
    this.streams.cache.forget(stream);
    return claimants[await countGone(claimants, claim, this.envelopes(stream, state))]?.holder ?? null;
  }

  knownHolder(kind: ClaimKind, projectId: string, value: string): string | null {
    return this.streams.cache.get<Claim>(this.stream(kind, projectId, value))?.state.claimants[0]?.holder ?? null;
  }

  /** The holder by the stored claim; it may have left. */
  async holder<Creation>(
    kind: ClaimKind,
    projectId: string,
    value: string,
  ): Promise<{ holder: string; creation: Creation; at: number; claim: ClaimEnvelope } | null> {
    const stream = this.stream(kind, projectId, value);
    await this.loadOnce(stream);
    const { state } = await this.streams.load(stream, claimDecider);
    const [first] = state.claimants;
    const claim = this.envelopes(stream, state)(0);
    return first ? { holder: first.holder, creation: first.creation as Creation, at: first.at, claim } : null;
  }

  /** Newest first, with the last claimant before the instant. Always has the latest few: a clock may have been set back. */
  async holdersSince(kind: ClaimKind, projectId: string, value: string, since: number): Promise<readonly string[]> {
    const holders: string[] = [];
    for await (const { event } of recordsOf<ClaimEvent>(this.store, this.stream(kind, projectId, value), 'desc')) {
      if (event.type !== 'Claimed') continue;
      holders.push(event.holder);
      if (event.at < since && holders.length > LATEST_HOLDERS) break;
    }
    return holders;
  }

  /** Reads back to the last claim with none ahead of it, so that thousands of earlier claims are not read. */
  private async loadOnce(stream: string): Promise<void> {
    if (this.streams.cache.get(stream)) return;
    const latest: Recorded<ClaimEvent>[] = [];
    for await (const record of recordsOf<ClaimEvent>(this.store, stream, 'desc')) {
      // An event of a later version is no claim: the one before it still holds the value.
      if (record.event.type !== 'Claimed') continue;
      latest.push(record);
      if (!record.event.behind) break;
    }
    latest.reverse();
    const [first] = latest;
    this.streams.cache.prime(stream, claimDecider, latest, first && { claimants: [], term: first.revision });
  }

  private async known(stream: string): Promise<Claim> {
    await this.loadOnce(stream);
    return (await this.streams.cache.loadCached(stream, claimDecider)).state;
  }

  /** The cached claim, else a free one: if that is wrong, the append conflicts. */
  private assumed(stream: string): Claim {
    return this.streams.cache.get<Claim>(stream)?.state ?? claimDecider.initial;
  }

  private async succeed<Creation>(
    stream: string,
    { holder, creation, origin, seldomHeld }: ClaimRequest<Creation>,
    after: number,
  ): Promise<boolean> {
    const claim = { type: 'Claim', at: this.clock.now(), holder, creation, after } as const;
    try {
      const { commandId, envelope } = origin;
      await this.streams.run(stream, claimDecider, claim, envelope, { commandId, isNew: seldomHeld });
      return true;
    } catch (error) {
      if (!(error instanceof ClaimTaken)) throw error;
      return false;
    }
  }

  /** Envelopes by the claimant's position in the stream; read lazily, because they are seldom needed. */
  private envelopes(stream: string, { claimants, term }: Claim): (place: number) => ClaimEnvelope {
    return (place) => async () => {
      const revision = term - claimants.length + place;
      const [claimed] = await this.store.read<ClaimEvent>(stream, { from: revision, limit: 1 });
      return causedBy(claimed ?? { stream, revision }, claimants[place]?.holder);
    };
  }

  private stream(kind: ClaimKind, projectId: string, value: string): string {
    const claimed = `${projectId}\n${kind}\n${value}`;
    let stream = this.names.get(claimed);
    if (stream === undefined) {
      stream = `${kind}-${projectId}.${this.secrets.keyedHash('claims', claimed)}`;
      this.names.set(claimed, stream);
    }
    return stream;
  }
}

async function countGone<Creation>(
  claimants: readonly Claimant[],
  { holder: own, hasLeft }: Pick<ClaimRequest<Creation>, 'holder' | 'hasLeft'>,
  envelopeAt: (place: number) => ClaimEnvelope,
): Promise<number> {
  for (const [index, { holder, creation, at }] of claimants.entries()) {
    if (holder !== own && !(await hasLeft(holder, creation as Creation, at, envelopeAt(index)))) return index;
  }
  return claimants.length;
}
