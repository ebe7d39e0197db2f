import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { EventStore, StreamMovedOn, type ExpectedRevision, type Position } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import type { OperatorPost } from './operator-post.js';

/** In no feed; the engine keeps only the newest event, as of every stream `reactor-…`. */
const STREAM = 'reactor-operator-webhook';

/** Which issues were posted to the operator's webhook, and which are still to be. */
export interface PostsState {
  /** Every event up to here was posted, or is in `waiting`. */
  readonly position: Position;
  readonly waiting: readonly OperatorPost[];
}

interface OperatorPostsNoted extends DomainEvent, PostsState {
  readonly type: 'OperatorPostsNoted';
  /** The process that is sending, and until when no other one may; null while none is. */
  readonly holder: string | null;
  readonly heldUntil: number;
}

export interface StoredPosts extends PostsState {
  readonly revision: ExpectedRevision;
  /** Whether another process is sending. */
  readonly isHeld: boolean;
}

/** In the log rather than under the lease of the reactors: that is in the database whose outage has to be posted. */
@Injectable()
export class PostsRecord {
  private readonly holder: string;

  constructor(
    private readonly store: EventStore,
    private readonly engine: Engine,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.holder = ids.uuid();
  }

  /** Null before the first save. */
  async load(): Promise<StoredPosts | null> {
    const [last] = await this.store.read<OperatorPostsNoted>(STREAM, { direction: 'backwards', limit: 1 });
    if (!last) return null;
    const { position, waiting, holder, heldUntil } = last.event;
    const isOthers = holder !== null && holder !== this.holder && this.engine.isShared;
    return { position, waiting, revision: last.revision, isHeld: isOthers && heldUntil > this.clock.now() };
  }

  /** The new revision; null where another process was first. Holds for `heldMs`: meanwhile no other process sends. */
  async save(
    { position, waiting }: PostsState,
    expected: ExpectedRevision,
    round: Envelope,
    heldMs = 0,
  ): Promise<ExpectedRevision | null> {
    const at = this.clock.now();
    const held = heldMs > 0 ? { holder: this.holder, heldUntil: at + heldMs } : { holder: null, heldUntil: at };
    const event: OperatorPostsNoted = { type: 'OperatorPostsNoted', at, position, waiting, ...held };
    try {
      return (await this.store.append(STREAM, [{ id: this.ids.uuid(), event, metadata: round }], expected)).revision;
    } catch (error) {
      if (error instanceof StreamMovedOn) return null;
      throw error;
    }
  }
}
