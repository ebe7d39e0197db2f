import { Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { Engine } from '@ports/engine.port';
import { IssueRule, type Cause } from './issue-rule.js';
import { Troubles } from './troubles.js';

const LEAST_SHARE = 0.05;
const LEAST_BYTES = 2 ** 30;
/** There is one data directory. */
const SUBJECT = 'data';

/** The disk of the data directory is nearly full. */
@Injectable()
export class LowDisk extends IssueRule {
  private readonly troubles = new Troubles(0);

  constructor(private readonly engine: Engine) {
    super();
  }

  async causes(now: number): Promise<readonly Cause[]> {
    const disk = await this.engine.disk();
    if (!disk) return [];
    const { freeBytes, totalBytes } = disk;
    if (freeBytes < LEAST_BYTES || freeBytes < totalBytes * LEAST_SHARE) this.troubles.noteBad(SUBJECT, now);
    else this.troubles.noteWell(SUBJECT, now);
    const message = `${(freeBytes / 2 ** 30).toFixed(1)} of ${(totalBytes / 2 ** 30).toFixed(1)} GiB are free.`;
    return this.troubles.lasting().map(({ since, lastSeenAt }) => ({
      subjectId: SUBJECT,
      projectId: null,
      cause: { code: 'disk_low', message },
      since,
      firstSeenAt: since,
      lastSeenAt,
      counted: null,
      countedBefore: null,
      name: () => Promise.resolve(SUBJECT),
    }));
  }

  overSince({ subject }: Issue): Promise<number | null> {
    return Promise.resolve(this.troubles.overSince(subject.id));
  }
}
