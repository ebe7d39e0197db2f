const MOST = 20_000;

/**
 * Where streams touched lately end, so that nobody looks into the file for what cannot be there. The file has one
 * writer, whose every answer comes by here. Bounded: what was not touched for long is forgotten.
 */
export class StreamHeads {
  private young = new Map<string, number>();
  private old = new Map<string, number>();

  /** Whether it is known that the stream has no event from this revision on. */
  areBefore(stream: string, revision: number): boolean {
    const young = this.young.get(stream);
    if (young !== undefined) return young < revision;
    const old = this.old.get(stream);
    if (old === undefined) return false;
    this.keep(stream, old);
    return old < revision;
  }

  /** No event lies beyond this revision; -1: there is none at all. */
  note(stream: string, last: number): void {
    const known = this.young.get(stream) ?? this.old.get(stream);
    this.keep(stream, known === undefined ? last : Math.max(known, last));
  }

  /** Somebody was shown this event, perhaps before its append was answered: where the stream ends is no longer known then. */
  saw(stream: string, revision: number): void {
    if (!this.areBefore(stream, revision)) return;
    this.young.delete(stream);
    this.old.delete(stream);
  }

  /** To be called when an append may have happened unheard. */
  forget(): void {
    this.young = new Map();
    this.old = new Map();
  }

  private keep(stream: string, last: number): void {
    this.young.set(stream, last);
    if (this.young.size < MOST / 2) return;
    this.old = this.young;
    this.young = new Map();
  }
}
