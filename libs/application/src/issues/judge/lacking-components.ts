import { Injectable } from '@nestjs/common';
import type { Issue } from '@domain/issue/issue';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { SkippedEventDirectory } from '../../skipped-events/skipped-event-directory.js';
import { skippedEventsProjection, type SkippedEventRow } from '../../skipped-events/skipped-events.projection.js';
import { IssueRule, type Cause } from './issue-rule.js';

/** The first of more: a component whose events are all behind them has its issue once these are resolved. */
const LOOKED_AT = 1_000;
const CAUSE = { code: 'event_skipped', message: 'An event could not be applied.' };

/** A projection or a reactor could not apply an event. */
@Injectable()
export class LackingComponents extends IssueRule {
  constructor(
    private readonly readModels: ReadModels,
    private readonly skipped: SkippedEventDirectory,
  ) {
    super();
  }

  async causes(now: number): Promise<readonly Cause[]> {
    const field = 'unresolvedSince' satisfies keyof SkippedEventRow;
    const rows = await this.readModels.due(skippedEventsProjection.schema.name, field, now, LOOKED_AT);
    const causes = new Map<string, Cause>();
    for (const { row } of rows as readonly StoredRow<SkippedEventRow>[]) {
      const { component, firstAt, lastAt } = row;
      const known = causes.get(component) ?? causeOf(component, firstAt);
      causes.set(component, { ...known, lastSeenAt: Math.max(known.lastSeenAt, lastAt) });
    }
    return [...causes.values()];
  }

  async overSince({ subject }: Issue): Promise<number | null> {
    const { unresolved, resolvedAt } = await this.skipped.load(subject.id);
    return Object.keys(unresolved).length === 0 ? resolvedAt : null;
  }
}

function causeOf(subjectId: string, since: number): Cause {
  const seen = { since, firstSeenAt: since, lastSeenAt: since, counted: null, countedBefore: null };
  return { subjectId, projectId: null, cause: CAUSE, ...seen, name: () => Promise.resolve(subjectId) };
}
