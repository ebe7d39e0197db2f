import { Injectable } from '@nestjs/common';
import type { Envelope } from '@domain/kernel/envelope';
import { skippedEventsDecider, type SkippedEventCommand, type SkippedEvents } from '@domain/skipped-event/skipped-events.decider';
import { StreamRunner } from '../streams/stream-runner.js';

export const SKIPPED_CATEGORY = 'skipped';

type At<Command> = Command extends unknown ? Omit<Command, 'at'> : never;

/** What each projection and reactor could not apply: a stream for each, by its name. */
@Injectable()
export class SkippedEventDirectory {
  constructor(private readonly streams: StreamRunner) {}

  async load(component: string): Promise<SkippedEvents> {
    return (await this.streams.load(skippedStream(component), skippedEventsDecider)).state;
  }

  /** One append, with an envelope for each command. */
  async run(component: string, commands: readonly At<SkippedEventCommand>[], envelopes: readonly Envelope[]): Promise<void> {
    const timed = (at: number) => commands.map((command): SkippedEventCommand => ({ ...command, at }));
    await this.streams.run(skippedStream(component), skippedEventsDecider, timed, envelopes);
  }
}

export function skippedStream(component: string): string {
  return `skipped-${component}`;
}
