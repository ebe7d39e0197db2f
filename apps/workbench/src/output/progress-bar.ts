import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import type { Progress } from './progress.js';

const FORMAT = '{name} [{bar}] {percentage} %  {events} events, {rate} a second, {eta_formatted} left';
/** Positions do not fit into numbers. */
const STEPS = 10_000;

/** A line on a terminal, with rate and time left. */
export class ProgressBar implements Progress {
  private bar: SingleBar | null = null;
  private head: Position = '';
  private begunAt = 0;
  private events = 0;
  private name = '';

  constructor(private readonly clock: Clock) {}

  begin(name: string, head: Position): void {
    [this.name, this.head, this.events, this.begunAt] = [name, head, 0, this.clock.elapsed()];
    this.bar = new SingleBar({ format: FORMAT, stream: process.stderr, clearOnComplete: true, hideCursor: true }, Presets.legacy);
    this.bar.start(STEPS, 0, { name, events: 0, rate: 0 });
  }

  read(events: number, position: Position): void {
    this.events += events;
    const rate = Math.round(this.events / ((this.clock.elapsed() - this.begunAt) / 1_000));
    this.bar?.update(sharePast(position, this.head), { name: this.name, events: this.events, rate });
  }

  end(): void {
    this.bar?.stop();
    this.bar = null;
  }
}

function sharePast(position: Position, head: Position): number {
  const [done, all] = [BigInt(position), BigInt(head)];
  return all === 0n ? STEPS : Math.min(STEPS, Number((done * BigInt(STEPS)) / all));
}
