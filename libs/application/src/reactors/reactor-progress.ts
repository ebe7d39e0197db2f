import { pause, type Clock } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import type { ReactorCheckpoint } from './reactor-checkpoint.js';

/** Saves after this many events, or some time after the first of fewer. */
const SAVE_AT_EVENTS = 1_000;
const SAVE_AFTER_MS = 1_000;

export class ReactorProgress {
  private position: Position;
  private unsaved = 0;
  private saving: Promise<void> | null = null;
  private later: Promise<void> | null = null;
  private failure: { readonly error: unknown } | null = null;

  constructor(
    private readonly checkpoint: ReactorCheckpoint,
    private readonly clock: Clock,
    private readonly end: Pick<AbortController, 'signal' | 'abort'>,
    private readonly onSaved: () => void,
  ) {
    this.position = checkpoint.position;
  }

  /**
   * Does nothing without events, since every checkpoint moves the head itself. Does not wait for a save: the disk may be slow.
   */
  reached(position: Position, events: number): void {
    this.position = position;
    this.unsaved += events;
    if (this.unsaved >= SAVE_AT_EVENTS) void this.save();
    this.saveRest();
  }

  /** Saves the rest. Call after the end. Rejects when a save failed. */
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

  /** A running save does not contain what is reached meanwhile. */
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
