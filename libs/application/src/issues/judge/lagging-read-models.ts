import { Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { IssueRule, type Cause } from './issue-rule.js';
import { Troubles } from './troubles.js';

const BEHIND_MS = 60_000;
const CAUGHT_UP_MS = 5_000;
/** A start or a short rebuild is behind for a moment only: it counts if it is so at the next look too. */
const LOOKED_EVERY_MS = 10_000;

/** How far read models are behind, where they are projected. */
export abstract class ReadModelLags {
  /** Whether this process projects, reacts and sweeps at present. */
  abstract readonly isHosting: boolean;
  abstract status(): Promise<readonly { readonly name: string; readonly lagMs: number }[]>;
}

/** A read model is a minute behind. */
@Injectable()
export class LaggingReadModels extends IssueRule {
  private readonly troubles = new Troubles(LOOKED_EVERY_MS);
  private readonly lags = new Map<string, number>();
  private lookedAt = -Infinity;

  constructor(private readonly readModels: ReadModelLags) {
    super();
  }

  async causes(now: number): Promise<readonly Cause[]> {
    if (now - this.lookedAt >= LOOKED_EVERY_MS || now < this.lookedAt) await this.look(now);
    return this.troubles.lasting().map(({ id, since, lastSeenAt }) => ({
      subjectId: id,
      projectId: null,
      cause: { code: 'behind', message: `It is ${Math.round((this.lags.get(id) ?? 0) / 1_000)} seconds behind.` },
      since,
      firstSeenAt: since,
      lastSeenAt,
      counted: null,
      countedBefore: null,
      name: () => Promise.resolve(id),
    }));
  }

  overSince({ subject }: Issue): Promise<number | null> {
    return Promise.resolve(this.troubles.overSince(subject.id));
  }

  private async look(now: number): Promise<void> {
    this.lookedAt = now;
    for (const { name, lagMs } of await this.readModels.status()) {
      this.lags.set(name, lagMs);
      if (lagMs >= BEHIND_MS) this.troubles.noteBad(name, now);
      else if (lagMs < CAUGHT_UP_MS) this.troubles.noteWell(name, now);
    }
  }
}
