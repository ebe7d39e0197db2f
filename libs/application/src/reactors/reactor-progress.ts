import { pause, type Clock } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import type { ReactorCheckpoint } from './reactor-checkpoint.js';

/** A checkpoint is saved after so many events, or so long after the first of fewer. */
const SAVE_AT_EVENTS = 1_000;
const SAVE_AFTER_MS = 1_000;

/** Saves a reactor's checkpoint from time to time, one save at a time, and once more at the end. */
export class ReactorProgress {
  private position: Position;
  private unsaved = 0;
  private saving: Promise<void> | null = null;
  private later: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly checkpoint: ReactorCheckpoint,
    private readonly clock: Clock,
    /** Ends the pass over the feed. Aborted here when a save failed, elsewhere at any time. */
    private readonly end: Pick<AbortController, 'signal' | 'abort'>,
    private readonly onSaved: () => void,
  ) {
    this.position = checkpoint.position;
  }

  /**
   * Everything up to here is handled, with so many events since the last call. Movement without events is not saved, since
   * every checkpoint moves the head itself. The reactor does not wait for a save: a busy disk would hold it up.
   */
  reached(position: Position, events: number): void {
    this.position = position;
    this.unsaved += events;
    if (this.unsaved >= SAVE_AT_EVENTS) void this.save();
    this.saveRest();
  }

  /** Saves what is left. To be called after the end. Rejects when a save failed. */
  async close(): Promise<void> {
    await this.later;
    await this.saving;
    if (!this.failure && this.checkpoint.isWorthSaving(this.position)) await this.save();
    if (this.failure) throw this.failure.error;
  }

  private async saveLater(): Promise<void> {
    await pause(this.clock, SAVE_AFTER_MS, this.end.signal);
    this.later = null;
    if (this.unsaved > 0) await this.save();
    this.saveRest();
  }

  /** A save under way does not contain what is reached meanwhile. */
  private saveRest(): void {
    if (this.unsaved > 0 && !this.failure) this.later ??= this.saveLater();
  }

  private save(): Promise<void> {
    this.saving ??= this.append().finally(() => (this.saving = null));
    return this.saving;
  }

  private async append(): Promise<void> {
    this.unsaved = 0;
    if (this.position <= this.checkpoint.position) return;
    try {
      await this.checkpoint.save(this.position);
      this.onSaved();
    } catch (error) {
      this.failure ??= { error };
      this.end.abort();
    }
  }
}
