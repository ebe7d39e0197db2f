import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Issue } from '@domain/issue/issue';
import { CLOSES_AFTER_MS } from '@domain/issue/issue.decider';
import { ISSUE_KINDS, type IssueKind } from '@domain/issue/issue-kinds';
import type { Envelope } from '@domain/kernel/envelope';
import { Ids } from '@ports/ids.port';
import { IssueDirectory } from '../issue-directory.js';
import { IssueTallies } from '../issue-tallies.js';
import type { Cause } from './issue-rule.js';
import { ISSUE_RULES, type IssueRules } from './issue-rules.js';

/** As many subjects as may fail at once; a forgotten one is only decided again. */
const CAUSES_REMEMBERED = 50_000;

/** Opens and closes issues as their rules say. Writes nothing else, however much fails. */
@Injectable()
export class IssueJudge {
  /** Which occurrence of a cause was decided last, by kind and subject. */
  private readonly decided = new LRUCache<string, number>({ max: CAUSES_REMEMBERED });

  constructor(
    @Inject(ISSUE_RULES) private readonly rules: IssueRules,
    private readonly directory: IssueDirectory,
    private readonly tallies: IssueTallies,
    private readonly ids: Ids,
  ) {}

  async openFor(kind: IssueKind, now: number, round: Envelope): Promise<void> {
    for (const cause of await this.rules[kind].causes(now)) await this.open(kind, cause, round);
  }

  async open(kind: IssueKind, cause: Cause, envelope: Envelope): Promise<void> {
    const { subjectId, projectId, since, firstSeenAt, lastSeenAt, counted, countedBefore } = cause;
    const key = `${kind} ${subjectId}`;
    if (this.decided.get(key) === since) return;
    const name = await cause.name();
    if (name !== null) {
      const subject = { object: ISSUE_KINDS[kind].subject, id: subjectId };
      const details = { kind, projectId, subject, name, cause: cause.cause };
      const times = { since, firstSeenAt, lastSeenAt, counted, countedBefore };
      const issueId = this.ids.next('issue');
      await this.directory.run({ kind, subjectId }, (at) => ({ type: 'OpenIssue', at, issueId, ...details, ...times }), envelope);
    }
    this.decided.set(key, since);
  }

  /** Closes the issue if its cause was over for a minute. */
  async close(issue: Issue, now: number, round: Envelope): Promise<void> {
    const { kind, subject, openedAt, reopenedAt, firstSeenAt } = issue;
    const found = await this.rules[kind].overSince(issue, now);
    if (found === null) return;
    const overSince = Math.max(found, reopenedAt ?? openedAt);
    if (now - overSince < CLOSES_AFTER_MS) return;
    const place = { kind, subjectId: subject.id };
    const [tally = null] = await this.tallies.of([place]);
    const lastSeenAt = tally?.lastAt ?? Math.max(found, firstSeenAt);
    const counted = tally?.counted ?? null;
    await this.directory.run(place, (at) => ({ type: 'CloseIssue', at, overSince, lastSeenAt, counted }), round);
  }
}
