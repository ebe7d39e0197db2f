import { Injectable, Logger } from '@nestjs/common';
import type { IssueEvent } from '@domain/issue/issue.events';
import { Clock } from '@ports/clock.port';
import { EventStore, type Position, type Recorded } from '@ports/event-store.port';
import { LinkedAbort } from '../../runtime/linked-abort.js';
import { Restarts } from '../../runtime/restarts.js';
import { postOf, type OperatorPost } from './operator-post.js';

/** Posts that follow from the events of issues, as this process reads them. */
@Injectable()
export class IssueFeed {
  private readonly restarts: Restarts;
  private found: OperatorPost[] = [];

  constructor(
    private readonly store: EventStore,
    clock: Clock,
  ) {
    this.restarts = new Restarts(new Logger('operator webhook'), clock);
  }

  /** Reads on from the position until the signal aborts. Never rejects. */
  async follow(from: Position, signal: AbortSignal): Promise<void> {
    let position = from;
    while (!signal.aborted) {
      const end = new LinkedAbort(signal);
      try {
        for await (const { events, upTo } of this.store.subscribe(position, { categories: ['issue'], signal: end.signal })) {
          this.take(events as readonly Recorded<IssueEvent>[]);
          position = upTo;
          this.restarts.succeeded();
        }
      } catch (error) {
        if (!signal.aborted) await this.restarts.after(error, signal);
      } finally {
        end.unlink();
      }
    }
  }

  /** Those after the position, oldest first; earlier ones are forgotten. */
  after(position: Position): readonly OperatorPost[] {
    this.found = this.found.filter((post) => post.position > position);
    return this.found;
  }

  get isEmpty(): boolean {
    return this.found.length === 0;
  }

  private take(events: readonly Recorded<IssueEvent>[]): void {
    for (const record of events) {
      const post = postOf(record);
      if (post) this.found.push(post);
    }
  }
}
