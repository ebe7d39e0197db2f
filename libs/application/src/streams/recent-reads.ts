import { LRUCache } from 'lru-cache';
import type { Clock } from '@ports/clock.port';
import type { StreamCache } from './stream-cache.js';

/** How old a cached fold may be to be used without reading other processes' events. */
const FRESH_MS = 1_000;
const STREAMS_REMEMBERED = 10_000;

/** Frequently needed folds, at most a second old. Changes made by this process are in them at once. */
export class RecentReads<State> {
  private readonly readAt = new LRUCache<string, number>({ max: STREAMS_REMEMBERED });
  private readonly reading = new Map<string, Promise<State>>();

  /** `load` reads and caches the stored state. A state that is not `kept` is read each time. */
  constructor(
    private readonly cache: StreamCache,
    private readonly clock: Clock,
    private readonly load: (stream: string) => Promise<State>,
    private readonly kept: (state: State) => boolean = () => true,
  ) {}

  async newest(stream: string): Promise<State> {
    const startedAt = this.clock.elapsed();
    const state = await this.load(stream);
    if (this.kept(state)) this.readAt.set(stream, startedAt);
    return state;
  }

  async recent(stream: string): Promise<State> {
    const known = this.known(stream);
    if (known) return known;
    const underWay = this.reading.get(stream);
    if (underWay) return underWay;
    const reading = this.newest(stream).finally(() => this.reading.delete(stream));
    this.reading.set(stream, reading);
    return reading;
  }

  /** At most a second old; null when it must be read again. */
  known(stream: string): State | null {
    const age = this.clock.elapsed() - (this.readAt.get(stream) ?? -Infinity);
    return age < FRESH_MS ? (this.cache.get<State>(stream)?.state ?? null) : null;
  }
}
