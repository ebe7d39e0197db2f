import { pause, type Clock } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import type { ReactorCheckpoint } from './reactor-checkpoint.js';

/** A checkpoint is appended after so many events, or so long after the first of fewer. */
const SAVE_AT_EVENTS = 1_000;
const SAVE_AFTER_MS = 1_000;

/** Saves a reactor's checkpoint now and then, one save at a time, and once more at the end. */
export class ReactorProgress {
  private position: Position;
  private unsaved = 0;
  private saving: Promise<void> | null = null;
  private later: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly checkpoint: ReactorCheckpoint,
    private readonly clock: Clock,
    /** Ends the stretch: made by us when a save failed, by others at any time. */
    private readonly end: Pick<AbortController, 'signal' | 'abort'>,
    private readonly onSaved: () => void,
  ) {
    this.position = checkpoint.position;
  }

  /**
   * Mere movement is not saved: every checkpoint moves the head, and so would cause the next. Nobody waits for a save: a
   * busy disk would keep the reactor from its events.
   */
  reached(position: Position, events: number): void {
    this.position = position;
    this.unsaved += events;
    if (this.unsaved >= SAVE_AT_EVENTS) void this.save();
    this.saveRest();
  }

  /** To be called after the end. Rejects when a save failed. */
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

  /** What is reached while an earlier place is being saved is not in it. */
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
