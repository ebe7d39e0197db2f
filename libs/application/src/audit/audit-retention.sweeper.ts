import { Injectable } from '@nestjs/common';
import { EventStore } from '@ports/event-store.port';
import { ReadModels, type DueKey, type StoredRow } from '@ports/read-models.port';
import { duePage } from '../read-models/due-page.js';
import { changeOrphanedRow } from '../read-models/orphaned-row.js';
import { workThrough, type Due } from '../read-models/work-through.js';
import { TrustedTime } from '../runtime/log-time.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { auditEntriesProjection, auditStream, type AuditRow } from './audit-entries.projection.js';

const EVERY_MS = 600_000;
const PAGE = 100;
const { name } = auditEntriesProjection.schema;
const DUE = [name, 'retireAt' satisfies keyof AuditRow] as const;

const EMPTY: AuditRow = {
  sessionId: null,
  action: '',
  ofProject: null,
  subject: null,
  subjectId: null,
  address: '',
  status: 0,
  code: null,
  retireAt: null,
};

/**
 * Drops the streams of days whose last entry is ninety days old, and then what their rows contain. A row that a rebuild has read
 * meanwhile from a stream that is gone is found by the next sweep; so is that of the log's last event, once another follows it.
 */
@Injectable()
export class AuditRetentionSweeper implements Sweeper {
  readonly name = 'audit-retention';
  readonly everyMs = EVERY_MS;

  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly time: TrustedTime,
  ) {}

  async sweep(_: number, signal: AbortSignal): Promise<void> {
    const now = this.time.now();
    const dropped = new Map<string, Promise<void>>();
    const drop = async ({ id, createdAt }: StoredRow<AuditRow>) => {
      const stream = auditStream(createdAt);
      if (!dropped.has(stream)) dropped.set(stream, this.store.retire(stream));
      await dropped.get(stream);
      await changeOrphanedRow(this.readModels, name, id, (row) => ({ ...row, deleted: true, row: EMPTY }));
    };
    const failures = await workThrough((after) => this.due(now, after), drop, signal);
    if (failures.length > 0) throw failures[0];
  }

  private async due(now: number, after: DueKey | null): Promise<Due<StoredRow<AuditRow>>> {
    const { rows, next } = await duePage<AuditRow>(this.readModels, DUE, now, PAGE, after);
    return { items: rows, next };
  }
}
