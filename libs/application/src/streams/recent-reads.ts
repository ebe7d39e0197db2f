import { LRUCache } from 'lru-cache';
import type { Clock } from '@ports/clock.port';
import type { StreamCache } from './stream-cache.js';

/** The age up to which a cached fold is used without reading events of other processes. */
const FRESH_MS = 1_000;
const STREAMS_REMEMBERED = 10_000;

/** Folds that may be up to a second old, of streams that are needed all the time. Changes made by this process are in them at once. */
export class RecentReads<State> {
  /** By stream: the time of its last read. */
  private readonly readAt = new LRUCache<string, number>({ max: STREAMS_REMEMBERED });
  private readonly reading = new Map<string, Promise<State>>();

  /** `load` reads what is stored now, and caches its fold. A state that is not `kept` is read anew each time. */
  constructor(
    private readonly cache: StreamCache,
    private readonly clock: Clock,
    private readonly load: (stream: string) => Promise<State>,
    private readonly kept: (state: State) => boolean = () => true,
  ) {}

  /** The state now. */
  async newest(stream: string): Promise<State> {
    const startedAt = this.clock.elapsed();
    const state = await this.load(stream);
    if (this.kept(state)) this.readAt.set(stream, startedAt);
    return state;
  }

  /** The state as of at most a second ago. */
  async recent(stream: string): Promise<State> {
    const known = this.known(stream);
    if (known) return known;
    const underWay = this.reading.get(stream);
    if (underWay) return underWay;
    const reading = this.newest(stream).finally(() => this.reading.delete(stream));
    this.reading.set(stream, reading);
    return reading;
  }

  /** The state as of at most a second ago; null when it must be read again. */
  known(stream: string): State | null {
    const age = this.clock.elapsed() - (this.readAt.get(stream) ?? -Infinity);
    return age < FRESH_MS ? (this.cache.get<State>(stream)?.state ?? null) : null;
  }
}
