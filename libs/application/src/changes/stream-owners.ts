import { LRUCache } from 'lru-cache';
import type { EventStore, Recorded } from '@ports/event-store.port';
import { idIn, streamCategory } from '@ports/stream-category';

const STREAMS_CACHED = 10_000;
const NOBODY = '';

/** The projects that streams belong to. An event that does not name its project belongs to that of its stream's first event. */
export class StreamOwners {
  private readonly known = new LRUCache<string, string>({ max: STREAMS_CACHED });

  constructor(private readonly store: Pick<EventStore, 'read' | 'onReplaced'>) {
    store.onReplaced(() => this.known.clear());
  }

  /** Null for an event of the installation, and for a stream that is retired. */
  async ownerOf(record: Recorded): Promise<string | null> {
    const { stream } = record;
    const owner = this.known.get(stream) ?? named(record);
    if (owner !== undefined) {
      this.known.set(stream, owner);
      return owner || null;
    }
    const [first] = await this.store.read(stream, { limit: 1 });
    if (!first) return null;
    const found = named(first) ?? NOBODY;
    this.known.set(stream, found);
    return found || null;
  }
}

/** The project that the event itself names. */
function named({ stream, event }: Recorded): string | undefined {
  if (['endpoints', 'project'].includes(streamCategory(stream))) return idIn(stream);
  if (!('projectId' in event)) return undefined;
  return typeof event.projectId === 'string' ? event.projectId : NOBODY;
}
