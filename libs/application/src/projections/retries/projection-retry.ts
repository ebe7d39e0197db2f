import { START, type Position } from '@ports/event-store.port';
import { RowsRefused, type StoredRow } from '@ports/read-models.port';
import type { Skip } from '../../skipped-events/skip-recorder.js';
import type { ProjectionRunner, RunnerPorts } from '../projection-runner.js';
import type { Retry } from './hosted-components.js';
import { refoldedRow } from './refolded-row.js';

const REACHED_WITHIN_MS = 2_000;

interface Outcome {
  /** The event, if it still cannot be applied. */
  readonly skip: Skip | null;
  readonly rows: readonly StoredRow[];
}

/** Applies a skipped event anew, in the rows of one projection. */
export class ProjectionRetry {
  constructor(
    private readonly runner: ProjectionRunner,
    private readonly ports: RunnerPorts,
    /** Makes all rows anew, which resolves what is applied by that. Resolves to how many there are. */
    private readonly rebuild: () => Promise<number>,
  ) {}

  /** Resolves to how many rows were made. */
  async run(retry: Retry): Promise<number> {
    const { name, projection } = this.runner;
    const { skip } = await this.fold(retry, await this.checkpoint());
    if (skip) {
      await this.runner.newSkips('warn').skip([skip]);
      return 0;
    }
    // Rows that others share have seen later events, which cannot be taken back for one of them.
    if (projection.shared || !projection.streamsOf) return this.rebuild();
    try {
      const made = await this.runner.whileHeld((checkpoint) => this.write(retry, checkpoint));
      await this.ports.skips?.resolve(name, [retry.record.position], retry.taskId);
      return made;
    } catch (error) {
      if (!(error instanceof RowsRefused)) throw error;
      await this.runner.newSkips('warn').skip([{ ...retry, error }]);
      return 0;
    }
  }

  /** After every event of the log, so that it is later than the last one of any row. */
  private async checkpoint(): Promise<Position> {
    const { store, readModels } = this.ports;
    const head = await store.head();
    this.runner.flushUpTo(head);
    const isReached = await readModels.reached(this.runner.name, head, REACHED_WITHIN_MS);
    if (!isReached) throw new Error(`${this.runner.name} are late`);
    return this.runner.checkpoint();
  }

  /** Rows are written as of the checkpoint: one that is stored at the same or a later position stays as it is. */
  private async write(retry: Retry, checkpoint: Position): Promise<number> {
    const { name } = this.runner;
    const { skip, rows } = await this.fold(retry, checkpoint);
    if (skip) throw skip.error;
    const written = rows.map((row) => ({ ...row, position: checkpoint }));
    await this.ports.readModels.apply(name, written, START);
    return rows.length;
  }

  private async fold({ record, rows: lacking }: Retry, upTo: Position): Promise<Outcome> {
    const { projection, name } = this.runner;
    const { store, readModels } = this.ports;
    const rows: StoredRow[] = [];
    let ids: readonly string[];
    try {
      ids = [...new Set([...projection.rowIds(record), ...lacking])];
    } catch (error) {
      return { skip: { record, error, rows: lacking }, rows };
    }
    for (const id of ids) {
      const [stored = null] = await readModels.getMany(name, [id]);
      if (stored && stored.position >= upTo) throw new Error(`a row of ${name} is ahead of their checkpoint`);
      const { row, skips } = await refoldedRow(projection, store, { id, record, stored, upTo });
      const skip = skips.find(({ record: { position } }) => position === record.position);
      if (skip) return { skip: { ...skip, rows: ids }, rows };
      if (row) rows.push(row);
    }
    return { skip: null, rows };
  }
}
