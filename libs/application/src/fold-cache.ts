import { Injectable } from '@nestjs/common';
import type { ExpectedRevision } from '@ports/event-store.port';

export interface Folded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

const MOST = 8_000;

/** The folds of streams touched last, bounded; any of them may be stale or missing at any time. */
@Injectable()
export class FoldCache {
  private readonly folds = new Map<string, Folded<unknown>>();

  get<State>(stream: string): Folded<State> | undefined {
    const found = this.folds.get(stream);
    if (!found) return undefined;
    this.folds.delete(stream);
    this.folds.set(stream, found);
    return found as Folded<State>;
  }

  /** Keeps the newer of two folds: a slow reader must not hide what was appended meanwhile. */
  put(stream: string, folded: Folded<unknown>): void {
    const known = this.folds.get(stream);
    if (known && known.revision !== 'none' && (folded.revision === 'none' || folded.revision < known.revision)) return;
    this.folds.delete(stream);
    this.folds.set(stream, folded);
    if (this.folds.size <= MOST) return;
    const oldest = this.folds.keys().next();
    if (!oldest.done) this.folds.delete(oldest.value);
  }
}
