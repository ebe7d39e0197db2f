import { Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { IssueTallies } from './issue-tallies.js';

/** Issues with what was counted until now. */
@Injectable()
export class IssueViews {
  constructor(private readonly tallies: IssueTallies) {}

  async of(issue: Issue): Promise<Issue> {
    const [view = issue] = await this.all([issue]);
    return view;
  }

  async all(issues: readonly Issue[]): Promise<readonly Issue[]> {
    const unclosed = issues.filter(({ status }) => status !== 'closed');
    const places = unclosed.map(({ kind, subject }) => ({ kind, subjectId: subject.id }));
    const tallies = await this.tallies.of(places);
    const known = new Map(unclosed.map(({ id }, index) => [id, tallies[index]]));
    return issues.map((issue) => {
      const tally = known.get(issue.id);
      if (!tally) return issue;
      const count = Math.max(issue.count, tally.counted - issue.countedBefore);
      return { ...issue, count, lastSeenAt: Math.max(issue.lastSeenAt, tally.lastAt ?? 0) };
    });
  }
}
