import type { Clock } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import type { Progress } from './progress.js';

const EVERY_MS = 5_000;

/** Lines of JSON on standard error, at most one in five seconds. */
export class ProgressLines implements Progress {
  private name = '';
  private head: Position = '';
  private events = 0;
  private toldAt = 0;
  private begunAt = 0;

  constructor(
    private readonly write: (line: string) => void,
    private readonly clock: Clock,
  ) {}

  begin(name: string, head: Position): void {
    [this.name, this.head, this.events] = [name, head, 0];
    this.begunAt = this.toldAt = this.clock.elapsed();
  }

  read(events: number, position: Position): void {
    this.events += events;
    const now = this.clock.elapsed();
    if (now - this.toldAt < EVERY_MS) return;
    this.toldAt = now;
    const { name: projection, head } = this;
    const perSecond = Math.round(this.events / ((now - this.begunAt) / 1_000));
    this.write(JSON.stringify({ progress: { projection, position, head, events: this.events, events_per_second: perSecond } }));
  }

  end(): void {
    // The result of the command tells it.
  }
}
