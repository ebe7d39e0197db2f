import { pause, type Clock } from '@ports/clock.port';
import { ServiceFailure } from './service-failure.js';

const GIVE_UP_AFTER_MS = 30_000;
const PAUSE_MS = 500;

/** How long a service that is being restarted is waited for. */
export class Patience {
  private failingSince: number | null = null;

  constructor(private readonly clock: Clock) {}

  succeeded(): void {
    this.failingSince = null;
  }

  /** Resolves when it is time for another try. Rejects with the failure where none helps, or after half a minute of failures. */
  async after(failure: unknown, signal?: AbortSignal): Promise<void> {
    const now = this.clock.elapsed();
    this.failingSince ??= now;
    const isPassing = failure instanceof ServiceFailure && failure.isPassing;
    if (!isPassing || signal?.aborted || now - this.failingSince > GIVE_UP_AFTER_MS) throw failure;
    await pause(this.clock, PAUSE_MS, signal);
  }
}
