import { Injectable } from '@nestjs/common';
import { ISSUE_KIND_NAMES } from '@domain/issue/issue-kinds';
import { ReadModels, type DueKey } from '@ports/read-models.port';
import { duePage, type DuePage } from '../read-models/due-page.js';
import { issuesProjection, type IssueRow } from './issues.projection.js';

const PAGE = 500;

@Injectable()
export class OpenIssues {
  constructor(private readonly readModels: ReadModels) {}

  /** How many issues of each kind are open and not dismissed. */
  async count(): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = Object.fromEntries(ISSUE_KIND_NAMES.map((kind) => [kind, 0]));
    const field = [issuesProjection.schema.name, 'unclosedSince'] as const;
    let after: DueKey | null = null;
    do {
      const { rows, next }: DuePage<IssueRow> = await duePage<IssueRow>(
        this.readModels,
        field,
        Number.MAX_SAFE_INTEGER,
        PAGE,
        after,
      );
      for (const { row } of rows) if (row.status === 'open') counts[row.kind] = (counts[row.kind] ?? 0) + 1;
      after = next;
    } while (after);
    return counts;
  }
}
