import { Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { Engine } from '@ports/engine.port';
import { IssueRule, type Cause } from './issue-rule.js';
import { Troubles } from './troubles.js';

const AWAY_MS = 30_000;

/** A server of the engine does not serve for half a minute. `TroubleWatch` looks, since no store may answer meanwhile. */
@Injectable()
export class AwayServers extends IssueRule {
  /** While MongoDB is away no process hosts. */
  override readonly needsNoHost = true;
  private readonly troubles = new Troubles(AWAY_MS);

  constructor(private readonly engine: Engine) {
    super();
  }

  async look(now: number): Promise<void> {
    if (!this.engine.isShared) return;
    for (const { name, ready } of await this.engine.parts()) {
      if (ready) this.troubles.noteWell(name, now);
      else this.troubles.noteBad(name, now);
    }
  }

  causes(): Promise<readonly Cause[]> {
    const causes = this.troubles.lasting().map(({ id, since, lastSeenAt, endedAt }) => ({
      subjectId: id,
      projectId: null,
      cause: { code: 'server_away', message: `${id} does not serve.` },
      since,
      firstSeenAt: since,
      lastSeenAt: endedAt ?? lastSeenAt,
      counted: null,
      countedBefore: null,
      name: () => Promise.resolve(id),
    }));
    return Promise.resolve(causes);
  }

  overSince({ subject }: Issue): Promise<number | null> {
    return Promise.resolve(this.troubles.overSince(subject.id));
  }
}
