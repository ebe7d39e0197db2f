import { Injectable } from '@nestjs/common';
import { ClaimTaken, claimDecider, type Claim, type ClaimEvent } from '@domain/claim/claim.decider';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Secrets } from '@ports/secrets.port';
import { StreamRunner } from '../stream-runner.js';

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
  /** Hardly anybody else holds it: it is claimed without looking first. Who does hold it is found out all the same. */
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

const MOST_NAMES = 4_000;

/** Unique values across streams. */
@Injectable()
export class Claims {
  /** Streams by what is claimed in them: a thread is asked for with every message. */
  private readonly names = new Map<string, string>();

  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly secrets: Secrets,
    private readonly clock: Clock,
  ) {}

  /** Takes the value unless a living holder has it, and says who holds it then. */
  async acquire<Creation>(request: ClaimRequest<Creation>): Promise<Holding<Creation>> {
    const stream = this.stream(request.kind, request.projectId, request.value);
    if (request.seldomHeld) this.streams.presumeNew(stream, claimDecider);
    let { state } = await this.streams.seen(stream, claimDecider);
    for (;;) {
      const present = state.holder;
      const isOwn = present === request.holder;
      if (isOwn && !request.renews) return { holder: request.holder, creation: state.creation as Creation, won: true };
      if (present !== null && !isOwn && !(await request.hasLeft(present, state.creation as Creation, state.at))) {
        return { holder: present, creation: state.creation as Creation, won: false };
      }
      if (await this.succeed(stream, request, state.term))
        return { holder: request.holder, creation: request.creation, won: true };
      state = (await this.streams.load(stream, claimDecider)).state;
    }
  }

  /** Who held the value when this process last looked; null when it never did. */
  knownHolder(kind: ClaimKind, projectId: string, value: string): string | null {
    return this.streams.known<Claim>(this.stream(kind, projectId, value))?.state.holder ?? null;
  }

  /** Who holds the value as far as its claim says; the holder may have left. */
  async holder<Creation>(
    kind: ClaimKind,
    projectId: string,
    value: string,
  ): Promise<{ holder: string; creation: Creation; at: number } | null> {
    const { state } = await this.streams.load(this.stream(kind, projectId, value), claimDecider);
    return state.holder === null ? null : { holder: state.holder, creation: state.creation as Creation, at: state.at };
  }

  /** Every claim of a value that was ever made, newest first. */
  async history(kind: ClaimKind, projectId: string, value: string): Promise<readonly ClaimEvent[]> {
    const records = await this.store.read<ClaimEvent>(this.stream(kind, projectId, value), { direction: 'backwards' });
    return records.map(({ event }) => event);
  }

  private async succeed<Creation>(stream: string, request: ClaimRequest<Creation>, after: number): Promise<boolean> {
    const { holder, creation, commandId } = request;
    try {
      await this.streams.run(stream, claimDecider, { type: 'Claim', at: this.clock.now(), holder, creation, after }, commandId);
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
      if (this.names.size >= MOST_NAMES) this.names.clear();
      this.names.set(claimed, stream);
    }
    return stream;
  }
}
