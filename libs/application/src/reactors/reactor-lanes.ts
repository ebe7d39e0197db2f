import type { EventStore, FeedBatch, Position, Recorded } from '@ports/event-store.port';
import type { Reactor } from '../runtime/reactor.js';

/** How many lanes are worked on at once. */
const LANES = 16;
/** Events handed to a reactor at once, shared among the lanes that have some. */
const SHARED = 128;
/** Events that are kept as they were read; those behind them are read again when their turn comes. */
const KEPT = 1_024;
/** Places of events that wait; from here on nothing more is read of the log. */
const PLACES = 65_536;

const EVERYBODYS = '';

interface Place {
  readonly number: number;
  /** Where the log was read to before this event. */
  readonly before: Position;
  readonly record: Pick<Recorded, 'stream' | 'revision'> | Recorded;
}

export interface Work {
  /** Handles events of one lane, in order. A rejection ends all lanes. */
  readonly handle: (events: readonly Recorded[]) => Promise<void>;
  /** Told of every step. */
  readonly onDone: (upTo: Position, events: number) => void;
  readonly onFailure: () => void;
  readonly signal: AbortSignal;
}

/**
 * What a reactor has still to do, lane by lane. Lanes take turns: what one has to do in plenty makes no other wait until
 * all of it is done. A reactor without lanes does one batch after the other.
 */
export class ReactorLanes {
  /** In the order of their turns. */
  private readonly resting = new Map<string, Place[]>();
  private readonly working = new Map<string, { readonly behind: Place[]; readonly work: Promise<void> }>();
  /** In the order of the log. */
  private readonly undone = new Map<number, Place>();
  private numbered = 0;
  private readonly shared: number;
  private readonly places: number;
  private kept = 0;
  private onRoom: () => void = () => undefined;
  private failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly reactor: Reactor,
    private readonly store: Pick<EventStore, 'read'>,
    private readUpTo: Position,
    private readonly work: Work,
  ) {
    const hasLanes = reactor.laneOf !== undefined;
    this.shared = hasLanes ? SHARED : KEPT;
    this.places = hasLanes ? PLACES : 0;
  }

  /** How many events are taken and not done. */
  get waiting(): number {
    return this.undone.size;
  }

  /** Everything up to here is done. */
  get doneUpTo(): Position {
    return this.undone.values().next().value?.before ?? this.readUpTo;
  }

  /** Resolves when there is room for more, to how many of the events are nobody's business. */
  async take({ events, upTo }: FeedBatch): Promise<number> {
    const before = this.undone.size;
    for (const record of events) this.enqueue(record);
    this.readUpTo = upTo;
    const passed = events.length - (this.undone.size - before);
    this.next();
    while (this.undone.size > this.places && this.working.size > 0) {
      await new Promise<void>((resolve) => (this.onRoom = resolve));
    }
    return passed;
  }

  /** To be called after the end: resolves when nothing is under way any more. Rejects with what failed. */
  async close(): Promise<void> {
    await Promise.all([...this.working.values()].map(({ work }) => work));
    if (this.failure) throw this.failure.error;
  }

  private enqueue(record: Recorded): void {
    const lane = this.reactor.laneOf ? this.reactor.laneOf(record) : EVERYBODYS;
    if (lane !== null) this.add(lane, record);
    this.readUpTo = record.position;
  }

  private add(lane: string, record: Recorded): void {
    const isKept = this.kept < KEPT;
    if (isKept) this.kept++;
    const { stream, revision } = record;
    const number = (this.numbered += 1);
    const place = { number, before: this.readUpTo, record: isKept ? record : { stream, revision } };
    this.undone.set(number, place);
    const places = this.working.get(lane)?.behind ?? this.resting.get(lane);
    if (places) places.push(place);
    else this.resting.set(lane, [place]);
  }

  private next(): void {
    for (const [lane, places] of this.resting) {
      if (this.working.size >= LANES || this.failure || this.work.signal.aborted) return;
      const share = Math.ceil(this.shared / Math.min(LANES, this.resting.size + this.working.size));
      this.resting.delete(lane);
      const now = places.splice(0, share);
      this.working.set(lane, { behind: places, work: this.workOn(lane, now) });
    }
  }

  private async workOn(lane: string, places: readonly Place[]): Promise<void> {
    try {
      await this.work.handle(await this.recordsAt(places));
      for (const { number } of places) this.undone.delete(number);
      this.work.onDone(this.doneUpTo, places.length);
    } catch (error) {
      this.failure ??= { error };
      this.work.onFailure();
    }
    const behind = this.working.get(lane)?.behind ?? [];
    this.working.delete(lane);
    if (behind.length > 0) this.resting.set(lane, behind);
    this.next();
    this.onRoom();
  }

  private async recordsAt(places: readonly Place[]): Promise<readonly Recorded[]> {
    const records = await Promise.all(places.map(({ record }) => this.whole(record)));
    for (const { record } of places) if ('event' in record) this.kept--;
    return records.filter((record) => record !== undefined);
  }

  /** Nothing when its stream was dropped meanwhile. */
  private async whole(record: Place['record']): Promise<Recorded | undefined> {
    if ('event' in record) return record;
    const [again] = await this.store.read(record.stream, { from: record.revision, limit: 1 });
    return again;
  }
}
