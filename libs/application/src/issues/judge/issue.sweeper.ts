import { Inject, Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { ISSUE_KIND_NAMES } from '@domain/issue/issue-kinds';
import type { Envelope } from '@domain/kernel/envelope';
import { isRetryableStoreError } from '@ports/event-store.port';
import { ReadModels, type DueKey } from '@ports/read-models.port';
import { conversationsProjection } from '../../conversations/state/conversations.projection.js';
import { duePage } from '../../read-models/due-page.js';
import type { Sweeper } from '../../runtime/sweeper.js';
import { deliveriesProjection } from '../../webhooks/deliveries.projection.js';
import { issuesProjection, toIssue, type IssueRow } from '../issues.projection.js';
import { IssueJudge } from './issue-judge.js';
import { ISSUE_RULES, type IssueRules } from './issue-rules.js';
import { ReadModelLags } from './lagging-read-models.js';

const EVERY_MS = 5_000;
const PAGE = 500;
/** The read models from which rules know that a cause is over. */
const JUDGED_BY = [deliveriesProjection, conversationsProjection].map(({ schema }) => schema.name);

/** Judges where reactors run, and what needs no host everywhere: issues are decided in their streams, so two judges harm nothing. */
@Injectable()
export class IssueSweeper implements Sweeper {
  readonly name = 'issues';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly judge: IssueJudge,
    @Inject(ISSUE_RULES) private readonly rules: IssueRules,
    private readonly host: ReadModelLags,
    private readonly readModels: ReadModels,
  ) {}

  async sweep(now: number, signal: AbortSignal, round: Envelope): Promise<void> {
    const { isHosting } = this.host;
    const failures: unknown[] = [];
    const attempt = (work: Promise<void>) => work.catch((error: unknown) => void failures.push(error));
    for (const kind of ISSUE_KIND_NAMES) {
      if (signal.aborted) return;
      if (isHosting || this.rules[kind].needsNoHost) await attempt(this.judge.openFor(kind, now, round));
    }
    if (isHosting) await attempt(this.closeAll(now, signal, round));
    if (failures.length > 0) throw failures[0];
  }

  /** An issue that cannot be judged holds up no other one, unless it is the store that fails. */
  private async closeAll(now: number, signal: AbortSignal, round: Envelope): Promise<void> {
    if (!(await this.areRestored())) return;
    const failures: unknown[] = [];
    let after: DueKey | null = null;
    do {
      const { issues, next }: { issues: readonly Issue[]; next: DueKey | null } = await this.unclosed(after);
      for (const issue of issues) {
        if (signal.aborted) return;
        await this.judge.close(issue, now, round).catch((error: unknown) => {
          if (isRetryableStoreError(error)) throw error;
          failures.push(error);
        });
      }
      after = next;
    } while (after);
    if (failures.length > 0) throw failures[0];
  }

  /** While rows are missing, a lasting cause would seem to be over. */
  private async areRestored(): Promise<boolean> {
    return (await Promise.all(JUDGED_BY.map((name) => this.readModels.isRestored(name)))).every(Boolean);
  }

  private async unclosed(after: DueKey | null): Promise<{ issues: readonly Issue[]; next: DueKey | null }> {
    const field = [issuesProjection.schema.name, 'unclosedSince'] as const;
    const { rows, next } = await duePage<IssueRow>(this.readModels, field, Number.MAX_SAFE_INTEGER, PAGE, after);
    return { issues: rows.map(({ id, row }) => toIssue(id, row)), next };
  }
}
