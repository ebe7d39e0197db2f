import { ProjectionPass } from '@application/projections/projection-pass';
import { BULK } from '@application/projections/read-model-rebuild';
import type { Projection } from '@application/read-models/projection';
import type { Clock } from '@ports/clock.port';
import type { EventStore, Position } from '@ports/event-store.port';
import { type AsOf, rowsAsOf } from '../as-of.js';
import type { EventLog } from '../log/event-log.js';
import { LogSlice } from '../log/log-slice.js';
import type { Progress } from '../output/progress.js';
import { WrongWords } from '../wrong-words.js';
import { refuseExpired } from './refuse-expired.js';
import type { WorkbenchFolder } from './workbench-folder.js';

export interface Folded {
  /** As its rows are stored: under a name of their own where they are as of an instant before the folder's. */
  readonly projection: Projection;
  /** Every event up to here is in the rows. */
  readonly position: Position;
  readonly rows: number;
  /** Events that could not be applied just now. */
  readonly skipped: number;
}

/** Folds the log with a projection into the rows of a folder, from where they are. */
export class Folding {
  constructor(
    private readonly folder: WorkbenchFolder,
    private readonly log: EventLog,
    private readonly progress: Progress,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {}

  /** To the end of the log. Rejects on abort, with the rows as far as they were folded. */
  fold(projection: Projection): Promise<Folded> {
    return this.pass(projection, this.log);
  }

  /** Rejects with `WrongWords` for an instant that is not in the log, or whose events have been dropped. */
  async foldAsOf(projection: Projection, asOf: AsOf): Promise<Folded> {
    if ('position' in asOf && !(await this.log.holds(asOf.position)))
      throw new WrongWords(`${asOf.position} is no position in the log.`);
    await refuseExpired(projection, asOf, this.log, this.clock.now());
    await this.folder.define(projection);
    const isBehind = 'position' in asOf && (await this.checkpoint(projection)) <= asOf.position;
    return this.pass(isBehind ? projection : rowsAsOf(projection, asOf), new LogSlice(this.log, asOf));
  }

  private async pass(projection: Projection, source: Pick<EventStore, 'subscribe'>): Promise<Folded> {
    const { schema } = projection;
    await this.folder.define(projection);
    const { readModels } = this.folder;
    const target = {
      getMany: (ids: readonly string[]) => readModels.getMany(schema.name, ids),
      getShared: (ids: readonly string[]) => readModels.getMany(schema.shared?.name ?? schema.name, ids),
      apply: readModels.apply.bind(readModels, schema.name),
    };
    let skipped = 0;
    this.progress.begin(schema.name, await this.log.head());
    const options = {
      ...BULK,
      onSkipped: () => void skipped++,
      onRefused: () => void skipped++,
      onRead: (events: readonly { readonly position: Position }[]) =>
        this.progress.read(events.length, events.at(-1)?.position ?? ''),
    };
    const from = await this.checkpoint(projection);
    try {
      await new ProjectionPass(source, projection, target, from, options, this.signal).run();
    } finally {
      this.progress.end();
    }
    this.signal.throwIfAborted();
    const stored = (await readModels.stored()).find(({ name }) => name === schema.name);
    return { projection, position: await this.checkpoint(projection), rows: stored?.rows ?? 0, skipped };
  }

  private checkpoint({ schema }: Projection): Promise<Position> {
    return this.folder.readModels.checkpoint(schema.name);
  }
}
