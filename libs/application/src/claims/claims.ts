import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ClaimTaken, claimDecider, MOST_IN_LINE, type Claim, type Claimant, type ClaimEvent } from '@domain/claim/claim.decider';
import { Clock } from '@ports/clock.port';
import { EventStore, type Recorded } from '@ports/event-store.port';
import { Secrets } from '@ports/secrets.port';
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
  readonly commandId: string;
  /** Claims it anew even as its present holder, who may have left it and be seen to have done so. */
  readonly renews?: boolean;
  /** While others hold it, it is claimed behind them, a hundred at most: it is held once they have left. */
  readonly queues?: boolean;
  /**
   * Hardly anybody else holds it: it is claimed without looking first, and not kept in memory. Who does hold it is found out
   * all the same.
   */
  readonly seldomHeld?: boolean;
  /**
   * Whether the present holder's stream says that it left. A holder whose creation was never finished must be
   * finished here first, and then judged.
   */
  readonly hasLeft: (holder: string, creation: Creation, claimedAt: number) => Promise<boolean>;
}

export interface Holding<Creation> {
  readonly holder: string;
  readonly creation: Creation;
  /** This request became (or already was) the holder. */
  readonly won: boolean;
}

const STREAM_NAMES_CACHED = 4_000;
const LATEST_HOLDERS = 16;
/** Claims one behind the other; a longer line is read from its beginning, once for all who ask. */
const MOST_MET = 1_000;

/** Unique values across streams. */
@Injectable()
export class Claims {
  /** Stream names by claimed value: hashing it costs more, and every message asks for its thread. */
  private readonly names = new LRUCache<string, string>({ max: STREAM_NAMES_CACHED });

  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Takes the value unless a living holder has it, and says who holds it then. */
  async acquire<Creation>(request: ClaimRequest<Creation>): Promise<Holding<Creation>> {
    const stream = this.stream(request.kind, request.projectId, request.value);
    let state = request.seldomHeld ? this.assumed(stream) : await this.known(stream);
    for (;;) {
      const { claimants, term } = state;
      const own = claimants.find(({ holder }) => holder === request.holder);
      if (own && !request.renews) return { holder: own.holder, creation: own.creation as Creation, won: true };
      const gone = await countGone(claimants, request);
      const present = claimants[gone];
      const held = present && { holder: present.holder, creation: present.creation as Creation, won: false };
      const hasPlace = own !== undefined || claimants.length - gone < MOST_IN_LINE;
      if (held && !(request.queues && hasPlace)) return held;
      if (await this.succeed(stream, request, term, claimants.length - gone)) {
        if (request.seldomHeld) this.streams.cache.forget(stream);
        return held ?? { holder: request.holder, creation: request.creation, won: true };
      }
      state = (await this.streams.load(stream, claimDecider)).state;
    }
  }

  /** Who held the value when this process last looked; null when it never did. */
  knownHolder(kind: ClaimKind, projectId: string, value: string): string | null {
    return this.streams.cache.get<Claim>(this.stream(kind, projectId, value))?.state.claimants[0]?.holder ?? null;
  }

  /** Who holds the value as far as its claim says; the holder may have left. */
  async holder<Creation>(
    kind: ClaimKind,
    projectId: string,
    value: string,
  ): Promise<{ holder: string; creation: Creation; at: number } | null> {
    const stream = this.stream(kind, projectId, value);
    await this.loadOnce(stream);
    const [first] = (await this.streams.load(stream, claimDecider)).state.claimants;
    return first ? { holder: first.holder, creation: first.creation as Creation, at: first.at } : null;
  }

  /**
   * Who claimed a value since a moment, and who had claimed it last by then; newest first. The last few are among them
   * whatever their times are: a clock may have been set back.
   */
  async holdersSince(kind: ClaimKind, projectId: string, value: string, since: number): Promise<readonly string[]> {
    const holders: string[] = [];
    for await (const { event } of recordsOf<ClaimEvent>(this.store, this.stream(kind, projectId, value), 'desc')) {
      holders.push(event.holder);
      if (event.at < since && holders.length > LATEST_HOLDERS) break;
    }
    return holders;
  }

  /**
   * Nothing before the last claim behind nobody counts any more, but how often there was one: a value that was claimed
   * thousands of times need not be read from its beginning.
   */
  private async loadOnce(stream: string): Promise<void> {
    if (this.streams.cache.get(stream)) return;
    const latest: Recorded<ClaimEvent>[] = [];
    for await (const record of recordsOf<ClaimEvent>(this.store, stream, 'desc')) {
      latest.unshift(record);
      if (!record.event.behind) break;
      if (latest.length >= MOST_MET) return;
    }
    const [first] = latest;
    this.streams.cache.prime(stream, claimDecider, latest, first && { claimants: [], term: first.revision });
  }

  private async known(stream: string): Promise<Claim> {
    await this.loadOnce(stream);
    return (await this.streams.cache.loadCached(stream, claimDecider)).state;
  }

  /** The claim is taken for free where it is not cached: the append finds out. */
  private assumed(stream: string): Claim {
    return this.streams.cache.get<Claim>(stream)?.state ?? claimDecider.initial;
  }

  private async succeed<Creation>(
    stream: string,
    { holder, creation, commandId, seldomHeld }: ClaimRequest<Creation>,
    after: number,
    behind: number,
  ): Promise<boolean> {
    const claim = { type: 'Claim', at: this.clock.now(), holder, creation, after, behind } as const;
    try {
      await this.streams.run(stream, claimDecider, claim, { commandId, isNew: seldomHeld });
      return true;
    } catch (error) {
      if (!(error instanceof ClaimTaken)) throw error;
      return false;
    }
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

/** How many of the first claimants have left. */
async function countGone<Creation>(
  claimants: readonly Claimant[],
  { holder: own, hasLeft }: ClaimRequest<Creation>,
): Promise<number> {
  for (const [index, { holder, creation, at }] of claimants.entries()) {
    if (holder !== own && !(await hasLeft(holder, creation as Creation, at))) return index;
  }
  return claimants.length;
}
