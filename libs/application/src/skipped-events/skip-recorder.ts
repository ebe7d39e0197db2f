import { Injectable, Logger } from '@nestjs/common';
import { inTime } from '@kit/time';
import { Clock, pause } from '@ports/clock.port';
import type { Position, Recorded } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { Ids } from '@ports/ids.port';
import { streamCategory } from '@ports/stream-category';
import { causedBy } from '../runtime/caused-by.js';
import { LogThrottle } from '../runtime/log-throttle.js';
import { timerRound } from '../runtime/timer-round.js';
import { untilNextTry } from '../runtime/until-stored.js';
import { ownFrames } from './own-frames.js';
import { SKIPPED_CATEGORY, SkippedEventDirectory } from './skipped-event-directory.js';

/** Longer than an append takes; a store that is away must not hold up what is skipped. */
const STORED_WITHIN_MS = 2_000;
const AT_ONCE = 100;

/** An event that could not be applied, and the rows that lack it. */
export interface Skip {
  readonly record: Recorded;
  readonly error: unknown;
  readonly rows: readonly string[];
}

type SkipCommand = ReturnType<typeof commandOf>;

/** Records what could not be applied. What cannot be recorded now is tried until it can. */
@Injectable()
export class SkipRecorder {
  private readonly log = new Logger('skipped events');
  private readonly throttle: LogThrottle;
  /** By component. */
  private readonly waiting = new Map<string, SkipCommand[]>();
  private recording: Promise<void> | null = null;

  constructor(
    private readonly directory: SkippedEventDirectory,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.throttle = new LogThrottle(clock);
  }

  /** Resolves once it is stored, or after some seconds, so that it holds up no caller. Never rejects. */
  async record(component: string, skips: readonly Skip[]): Promise<void> {
    const news = skips
      // Otherwise a list that cannot show these events would fill the log with them.
      .filter(({ record }) => streamCategory(record.stream) !== SKIPPED_CATEGORY)
      .map((skip) => commandOf(skip, this.ids.next('skippedEvent')));
    if (news.length > 0) this.waiting.set(component, [...(this.waiting.get(component) ?? []), ...news]);
    if (this.waiting.size === 0) return;
    this.recording ??= this.recordAll().finally(() => (this.recording = null));
    await inTime(this.clock, STORED_WITHIN_MS, this.recording);
  }

  /** These were applied. `cause`: what did that, as in `Envelope`. Rejects while it cannot be stored. */
  async resolve(component: string, positions: readonly Position[], cause: string): Promise<void> {
    if (positions.length === 0) return;
    const commands = positions.map((position) => ({ type: 'ResolveSkippedEvent', position }) as const);
    const envelope = { ...timerRound(this.ids, 'skipped'), $causationId: cause };
    await this.directory.run(
      component,
      commands,
      commands.map(() => envelope),
    );
  }

  /** All rows were made anew up to a position: what was not skipped by that is applied. Rejects while it cannot be stored. */
  async resolveOthers(component: string, upTo: Position, skipped: ReadonlySet<Position>): Promise<void> {
    const { unresolved } = await this.directory.load(component);
    const applied = Object.keys(unresolved).filter((position) => position <= upTo && !skipped.has(position));
    await this.resolve(component, applied, 'timer:rebuild');
  }

  private async recordAll(): Promise<void> {
    const backoff = untilNextTry();
    for (;;) {
      const [next] = this.waiting;
      if (!next) return;
      const [component, commands] = next;
      try {
        await this.append(component, commands.slice(0, AT_ONCE));
        backoff.reset();
        if (this.throttle.recovered()) this.log.warn('skipped events can be recorded again');
      } catch (error) {
        // At the end, so that it holds up no other component.
        this.waiting.delete(component);
        this.waiting.set(component, commands);
        if (this.throttle.shouldLog(error)) this.log.warn(`a skipped event cannot be recorded yet: ${nameOf(error)}`);
        await pause(this.clock, backoff.next());
      }
    }
  }

  private async append(component: string, commands: readonly SkipCommand[]): Promise<void> {
    await this.directory.run(
      component,
      commands.map(({ command }) => command),
      commands.map(({ envelope }) => envelope),
    );
    const rest = this.waiting.get(component)?.slice(commands.length) ?? [];
    if (rest.length > 0) this.waiting.set(component, rest);
    else this.waiting.delete(component);
  }
}

function commandOf({ record, error, rows }: Skip, skippedEventId: string) {
  const { position, stream, revision, event } = record;
  const thrown = { error: nameOf(error), frames: ownFrames(error) };
  const about = { eventType: String(event.type), position, stream, revision, rows, ...thrown };
  return { command: { type: 'SkipEvent' as const, skippedEventId, ...about }, envelope: causedBy(record) };
}
