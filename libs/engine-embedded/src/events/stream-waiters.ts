import { WakeUp } from './wake-up.js';

/** Who waits for which stream; a stream nobody waits for costs nothing. */
export class StreamWaiters {
  private readonly streams = new Map<string, WakeUp>();

  get size(): number {
    return this.streams.size;
  }

  async wait(stream: string, signal?: AbortSignal): Promise<void> {
    const wakeUp = this.streams.get(stream) ?? new WakeUp();
    this.streams.set(stream, wakeUp);
    await wakeUp.next(signal);
    if (wakeUp.waiters === 0 && this.streams.get(stream) === wakeUp) this.streams.delete(stream);
  }

  ring(stream: string): void {
    const wakeUp = this.streams.get(stream);
    if (!wakeUp) return;
    this.streams.delete(stream);
    wakeUp.ring();
  }

  ringAll(): void {
    for (const stream of [...this.streams.keys()]) this.ring(stream);
  }
}
