import type { Projection } from '@application/read-models/projection';
import { pause, type Clock } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import type { ReadModels } from '@ports/read-models.port';
import type { Folding } from '../folder/folding.js';
import type { EventLog } from '../log/event-log.js';
import { compare, type Comparison } from './compare.js';
import { Histories } from './histories.js';
import { type Difference, judge } from './judge.js';
import type { LiveRows } from './live-rows.js';
import { isOver, isRetained, retainedStreams } from './retained-streams.js';
import { type RowPair, rowPairs } from './row-pairs.js';

/** What moved on meanwhile is looked at again so often. */
const MAX_LOOKS = 3;
const PAUSE_MS = 1_000;
/** The first ones are printed, the others counted. */
const MAX_TOLD = 100;
const IDS_AT_ONCE = 100;
/** More are no accident of the moment, and have no room for their histories. */
const MAX_MOVED = 10_000;

export interface Findings {
  /** How many rows the service has. */
  readonly rows: number;
  /** Rows of streams that were dropped when their time was over. */
  readonly expired: number;
  readonly differences: number;
  /** The first of them. */
  readonly told: readonly (Difference & { readonly row: string })[];
}

export interface Sides {
  readonly log: EventLog;
  readonly folder: ReadModels;
  readonly live: LiveRows;
  readonly clock: Clock;
}

/** Compares every row of a projection that the service has with what the log makes of it. */
export class Verification {
  private rows = 0;
  private expired = 0;
  private foldedUpTo: Position = '';
  /** The ids of rows that were not the same when they were looked at last. */
  private readonly suspects = new Map<string, Comparison>();
  /** Of suspects whose time may be over, the streams that may have been dropped. */
  private readonly over = new Map<string, readonly string[]>();

  constructor(
    private readonly projection: Projection,
    private readonly sides: Sides,
    private readonly folding: Folding,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<Findings> {
    await this.sides.live.check(this.projection);
    await this.fold();
    for await (const pair of rowPairs(this.sides.live, this.sides.folder, this.name)) {
      this.signal.throwIfAborted();
      if (pair.stored) this.rows++;
      this.look(pair);
    }
    await this.leaveOutExpired();
    for (let look = 0; look < MAX_LOOKS && this.moved.length > 0; look++) await this.lookOnceMore();
    await this.leaveOutExpired();
    const { told, right } = await this.judged();
    return { rows: this.rows, expired: this.expired, differences: this.suspects.size - right, told };
  }

  private get name(): string {
    return this.projection.schema.name;
  }

  private get moved(): readonly string[] {
    return [...this.suspects].flatMap(([id, comparison]) => (comparison === 'moved' ? [id] : []));
  }

  private async fold(): Promise<void> {
    this.foldedUpTo = (await this.folding.fold(this.projection)).position;
  }

  private look({ id, expected, stored, storedUpTo }: RowPair): void {
    // No event of it is in the log, and lists have left it out since its time was over.
    if (!expected && stored?.deleted && isRetained(this.projection)) {
      this.expired++;
      this.suspects.delete(id);
      return;
    }
    const comparison = compare(expected, stored, { stored: storedUpTo, expected: this.foldedUpTo });
    if (comparison === 'same') this.suspects.delete(id);
    else this.suspects.set(id, comparison);
    const row = stored ?? expected;
    if (comparison !== 'same' && row && isOver(row, this.sides.clock.now()))
      this.over.set(id, retainedStreams(this.projection, row));
  }

  private async lookOnceMore(): Promise<void> {
    await pause(this.sides.clock, PAUSE_MS, this.signal);
    await this.fold();
    for await (const pair of this.pairsOf(this.moved)) this.look(pair);
  }

  private async *pairsOf(ids: readonly string[]): AsyncGenerator<RowPair> {
    for (let first = 0; first < ids.length; first += IDS_AT_ONCE) {
      const some = ids.slice(first, first + IDS_AT_ONCE);
      const { checkpoint, rows } = await this.sides.live.some(this.name, some);
      const stored = new Map(rows.map((row) => [row.id, row]));
      const expected = await this.sides.folder.getMany(this.name, some);
      for (const [index, id] of some.entries())
        yield { id, expected: expected[index] ?? null, stored: stored.get(id) ?? null, storedUpTo: checkpoint };
    }
  }

  /** Suspects of which the log has a stream no more. */
  private async leaveOutExpired(): Promise<void> {
    const over = [...this.over].filter(([id, streams]) => this.suspects.has(id) && streams.length > 0);
    this.over.clear();
    if (over.length === 0) return;
    const histories = new Histories(this.projection, [], new Set(over.flatMap(([, streams]) => streams)));
    await histories.read(this.sides.log, { least: this.foldedUpTo }, this.signal);
    for (const [id, streams] of over) {
      if (streams.every((stream) => histories.hasStream(stream))) continue;
      this.expired++;
      this.suspects.delete(id);
    }
  }

  /** Judges the first suspects and all that still move by their histories. */
  private async judged(): Promise<{ readonly told: Findings['told']; readonly right: number }> {
    const { moved } = this;
    if (moved.length > MAX_MOVED)
      throw new Error(`${this.name}: ${moved.length} rows still move; verify when the service has caught up.`);
    const ids = [...new Set([...[...this.suspects.keys()].slice(0, MAX_TOLD), ...moved])];
    if (ids.length === 0) return { told: [], right: 0 };
    const pairs: RowPair[] = [];
    for await (const pair of this.pairsOf(ids)) pairs.push(pair);
    const histories = new Histories(this.projection, ids);
    await histories.read(this.sides.log, { least: await this.newest(pairs) }, this.signal);
    const judgements = pairs.map(({ id, stored, storedUpTo }) => ({ id, found: judge(histories.of(id), stored, storedUpTo) }));
    const wrong = judgements.flatMap(({ id, found }) => (found ? [{ row: id, ...found }] : []));
    return { told: wrong.slice(0, MAX_TOLD), right: judgements.length - wrong.length };
  }

  /** The last position of these rows that the log may have come to. */
  private async newest(pairs: readonly RowPair[]): Promise<Position> {
    const head = await this.sides.log.head();
    const positions = pairs.flatMap(({ stored }) => (stored && stored.position <= head ? [stored.position] : []));
    return [this.foldedUpTo, ...positions].toSorted().at(-1) ?? this.foldedUpTo;
  }
}
