import type { RowChange } from '@application/projections/rows/row.queries';
import { RowHistory } from '@application/projections/rows/row-history';
import type { Projection } from '@application/read-models/projection';
import { START, type Position, type Recorded } from '@ports/event-store.port';
import type { EventLog } from '../log/event-log.js';
import type { Step } from './judge.js';

const EVENTS_AT_ONCE = 512;
const MAX_ANSWERS = 5;

export interface ExplainedStep extends Step, RowChange {}

interface Extent {
  /** A position that the log has come to: an answer that ends before it is gone on with. */
  readonly least: Position;
  /** Those that made the rows, where they are known. */
  readonly streams?: readonly string[];
}

/** Reads the log from its beginning, and what its events made of some rows. */
export class Histories {
  private readonly kept = new Map<string, { readonly history: RowHistory; readonly steps: ExplainedStep[] }>();
  private readonly streams = new Set<string>();

  /** @param streams to look up in the log */
  constructor(
    private readonly projection: Projection,
    ids: Iterable<string>,
    private readonly wanted: ReadonlySet<string> = new Set(),
  ) {
    for (const id of ids) this.kept.set(id, { history: new RowHistory(projection, id), steps: [] });
  }

  async read(log: EventLog, { least, streams = [] }: Extent, signal: AbortSignal): Promise<void> {
    const { categories } = this.projection;
    const feed = { categories, atOnce: EVENTS_AT_ONCE, signal, ...(streams.length > 0 && { streams }) };
    let position = START;
    for (let answers = 0; answers === 0 || (position < least && answers < MAX_ANSWERS); answers++) {
      for await (const { events, upTo } of log.subscribe(position, feed)) {
        for (const record of events) await this.take(record);
        position = upTo;
      }
      signal.throwIfAborted();
    }
  }

  of(id: string): readonly ExplainedStep[] {
    return this.kept.get(id)?.steps ?? [];
  }

  /** Whether the log has an event of one of the streams that were asked for. */
  hasStream(stream: string): boolean {
    return this.streams.has(stream);
  }

  private async take(record: Recorded): Promise<void> {
    if (this.wanted.has(record.stream)) this.streams.add(record.stream);
    for (const id of idsIn(this.projection, record)) {
      const known = this.kept.get(id);
      const change = await known?.history.take(record);
      const row = known?.history.row;
      if (change && row) known.steps.push({ ...change, row });
    }
  }
}

/** None for an event that the projection cannot read. */
function idsIn(projection: Projection, record: Recorded): readonly string[] {
  try {
    return projection.rowIds(record);
  } catch {
    return [];
  }
}
