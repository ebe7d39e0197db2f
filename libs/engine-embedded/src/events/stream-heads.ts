import { LRUCache } from 'lru-cache';

const STREAMS_CACHED = 20_000;

/** Upper bounds of recent streams' last revisions, which spare reads. Reliable: every answer of the only writer passes here. */
export class StreamHeads {
  private readonly heads = new LRUCache<string, number>({ max: STREAMS_CACHED });

  areBefore(stream: string, revision: number): boolean {
    const head = this.heads.get(stream);
    return head !== undefined && head < revision;
  }

  /** `last` is -1 for a stream without events. */
  note(stream: string, last: number): void {
    this.heads.set(stream, Math.max(this.heads.get(stream) ?? last, last));
  }

  /** A reader saw this event, perhaps before its append was answered: the last revision is then unknown. */
  saw(stream: string, revision: number): void {
    if (this.areBefore(stream, revision)) this.heads.delete(stream);
  }

  /** Call when an append may have succeeded without an answer. */
  forget(): void {
    this.heads.clear();
  }
}
