import type { Logger } from '@nestjs/common';
import type { EventStore, Position } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import type { RowsRefused, StoredRow } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import type { Skip, SkipRecorder } from '../skipped-events/skip-recorder.js';
import { refusedEvent } from './refused-event.js';

interface Counted {
  readonly name: string;
  readonly projection: Projection;
  skipped: number;
  refused: number;
}

/** What one pass over the log cannot apply: it is counted, logged without its content, and recorded. */
export class PassSkips {
  private readonly positions = new Set<Position>();

  constructor(
    private readonly runner: Counted,
    private readonly ports: { readonly store: EventStore; readonly skips?: SkipRecorder },
    private readonly log: Logger,
    /** `warn` of what was skipped before. */
    private readonly level: 'error' | 'warn',
  ) {}

  async skip(skips: readonly Skip[]): Promise<void> {
    this.runner.skipped += skips.length;
    for (const { record, error } of skips) {
      const { id, stream, revision, position } = record;
      this.positions.add(position);
      this.log[this.level](`skipped event ${id} (${stream}, revision ${revision}): ${nameOf(error)}`);
    }
    await this.ports.skips?.record(this.runner.name, skips);
  }

  /** A row that cannot be stored lacks the last event that it was made of. */
  async refuse(row: StoredRow, error: RowsRefused): Promise<void> {
    this.runner.refused++;
    this.log.error(`row ${row.id} is not kept as of ${row.position}, and shows what it was before: ${error.reason}`);
    const { store, skips } = this.ports;
    const record = skips && (await refusedEvent(this.runner.projection, store, row));
    if (!record) return;
    this.positions.add(record.position);
    await skips.record(this.runner.name, [{ record, error, rows: [row.id] }]);
  }

  /** The pass has made all rows, up to a position: what it has not skipped is applied. Rejects while that cannot be stored. */
  async resolveOthers(upTo: Position): Promise<void> {
    await this.ports.skips?.resolveOthers(this.runner.name, upTo, this.positions);
  }
}
