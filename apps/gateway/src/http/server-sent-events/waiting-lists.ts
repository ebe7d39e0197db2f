import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ChangeFeed } from '@application/changes/change-feed';
import type { ChangedResource } from '@application/changes/changed-resources';
import type { Page } from '@application/paging/page';
import type { Caller } from '@application/projects/caller';
import { Shutdown } from '@application/runtime/shutdown';
import { Clock, pause } from '@ports/clock.port';
import { onAbort } from '@ports/on-abort';
import { AnswerBudget } from '../pipeline/answer-budget.js';
import { placeOwner } from './stream-places.js';
import { WaitingPlaces } from './waiting-places.js';

export interface Wait {
  readonly waitMs: number;
  readonly caller: Pick<Caller, 'projectId' | 'keyId'>;
  /** What is listed: its changes are waited for. */
  readonly object: ChangedResource['object'];
}

export interface ReadList<List> {
  readonly list: List;
  readonly isEmpty: boolean;
  /** Where more may still come that belongs before what is there: it is read again at that time. */
  readonly reread?: { readonly at: number; readonly read: () => Promise<ReadList<List>> };
}

export type Read<List> = () => Promise<ReadList<List>>;

/** Lists that are waited for until they are not empty. */
@Injectable()
export class WaitingLists {
  constructor(
    private readonly places: WaitingPlaces,
    private readonly changes: ChangeFeed,
    private readonly budget: AnswerBudget,
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {}

  /**
   * Reads the list at first and after each change, until it is not empty; after the wait, at the shutdown or once the client has left,
   * it is the empty one. Rejects with `service_unavailable` where too many wait, and as `read` does.
   */
  async filled<List>(request: FastifyRequest, wait: Wait, read: Read<List>): Promise<List> {
    const first = await read();
    if (wait.waitMs === 0 || isWhole(first)) return first.list;
    const leave = this.places.enter(placeOwner(wait.caller));
    const waiter = new Waiter(this.clock, this.shutdown, request, wait.waitMs);
    try {
      const own = ({ object }: ChangedResource) => object === wait.object;
      const tell = (batch: readonly ChangedResource[] | null) => void ((batch === null || batch.some(own)) && waiter.wake());
      const listening = await this.changes.listen(wait.caller.projectId, null, tell);
      // Changes between the first read and the listening were not announced.
      waiter.wake();
      return await this.waitFor(request, waiter, first, read).finally(listening.leave);
    } finally {
      waiter.end();
      leave();
    }
  }

  private async waitFor<List>(request: FastifyRequest, waiter: Waiter, first: ReadList<List>, read: Read<List>): Promise<List> {
    for (let found = first; ;) {
      // Who waits takes no share of the project's answers: others are answered meanwhile.
      request.state.answerSlot?.leave();
      const { reread } = found;
      if (reread) await pause(this.clock, reread.at - this.clock.now(), waiter.gone);
      else await waiter.woken();
      if (waiter.gone.aborted) return found.list;
      const isLast = waiter.isOver;
      await this.budget.reserve(request);
      found = await (reread?.read ?? read)();
      if (isWhole(found) || (isLast && found.isEmpty)) return found.list;
    }
  }
}

/** A page, of which nothing more is expected. */
export function asRead<Item>(list: Page<Item>): ReadList<Page<Item>> {
  return { list, isEmpty: list.items.length === 0 };
}

function isWhole({ isEmpty, reread }: ReadList<unknown>): boolean {
  return !isEmpty && reread === undefined;
}

/** Wakes a request that waits: at changes, and when its wait is over. */
class Waiter {
  isOver = false;
  private readonly left = new AbortController();
  private readonly cancels: readonly (() => void)[];
  private isWoken = false;
  private onWake: () => void = () => undefined;

  constructor(clock: Clock, { begun }: Shutdown, { raw: { socket } }: FastifyRequest, waitMs: number) {
    const over = () => {
      this.isOver = true;
      this.wake();
    };
    const gone = () => {
      this.left.abort();
      over();
    };
    socket.once('close', gone);
    this.cancels = [clock.after(waitMs, over), onAbort(begun, over), () => socket.off('close', gone)];
    if (begun.aborted) over();
    if (socket.destroyed) gone();
  }

  /** Aborts when the client leaves. */
  get gone(): AbortSignal {
    return this.left.signal;
  }

  wake(): void {
    this.isWoken = true;
    this.onWake();
  }

  /** Resolves at once where it was woken since the last call. */
  async woken(): Promise<void> {
    if (!this.isWoken) await new Promise<void>((resolve) => (this.onWake = resolve));
    this.isWoken = false;
  }

  end(): void {
    for (const cancel of this.cancels) cancel();
  }
}
