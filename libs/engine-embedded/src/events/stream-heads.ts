import { LRUCache } from 'lru-cache';

const STREAMS_CACHED = 20_000;

/**
 * The last revision of streams in recent use: an upper bound, which saves a look into the file for events that cannot exist.
 * It can be trusted because every answer of the file's only writer passes here.
 */
export class StreamHeads {
  private readonly heads = new LRUCache<string, number>({ max: STREAMS_CACHED });

  /** Whether the stream certainly has no event from this revision on. */
  areBefore(stream: string, revision: number): boolean {
    const head = this.heads.get(stream);
    return head !== undefined && head < revision;
  }

  /** The stream has no event beyond this revision; -1 for a stream without events. */
  note(stream: string, last: number): void {
    this.heads.set(stream, Math.max(this.heads.get(stream) ?? last, last));
  }

  /** A reader saw this event, perhaps before its append was answered: the stream's last revision is unknown then. */
  saw(stream: string, revision: number): void {
    if (this.areBefore(stream, revision)) this.heads.delete(stream);
  }

  /** To be called when an append may have happened whose answer was lost. */
  forget(): void {
    this.heads.clear();
  }
}
