import { type Decider, unchanged } from '../kernel/decider.js';
import type { SkippedEvent } from './skipped-event.js';
import type { SkippedEventEvent } from './skipped-event.events.js';

/** What one projection or reactor could not apply. */
export interface SkippedEvents {
  /** Those that it still lacks, by their positions. */
  readonly unresolved: Readonly<Record<string, SkippedEvent>>;
  /** When the last one was resolved; null before. */
  readonly resolvedAt: number | null;
  readonly lastEventAt: number;
}

export type SkippedEventCommand =
  | (Omit<SkippedEvent, 'id' | 'attempts' | 'firstAt' | 'lastAt' | 'type'> & {
      readonly type: 'SkipEvent';
      readonly at: number;
      /** Taken unless the event is known as skipped already. */
      readonly skippedEventId: string;
      readonly eventType: string;
    })
  | { readonly type: 'ResolveSkippedEvent'; readonly at: number; readonly position: string };

export const skippedEventsDecider: Decider<SkippedEvents, SkippedEventCommand, SkippedEventEvent> = {
  initial: { unresolved: {}, resolvedAt: null, lastEventAt: 0 },
  decide(command, { unresolved, lastEventAt }) {
    const at = Math.max(command.at, lastEventAt);
    const known = unresolved[command.position];
    switch (command.type) {
      case 'SkipEvent': {
        const { skippedEventId, eventType, position, stream, revision, rows, error, frames } = command;
        const about = { eventType, position, stream, revision, rows, error, frames };
        return [
          {
            type: 'EventSkipped',
            at,
            skippedEventId: known?.id ?? skippedEventId,
            attempt: (known?.attempts ?? 0) + 1,
            ...about,
          },
        ];
      }
      case 'ResolveSkippedEvent':
        return known ? [{ type: 'SkippedEventResolved', at, skippedEventId: known.id, position: known.position }] : [];
    }
  },
  evolve(state, event) {
    const { unresolved } = state;
    switch (event.type) {
      case 'EventSkipped': {
        const skipped = evolveSkippedEvent(unresolved[event.position] ?? null, event);
        return { ...state, unresolved: { ...unresolved, [event.position]: skipped }, lastEventAt: event.at };
      }
      case 'SkippedEventResolved': {
        const { [event.position]: _, ...others } = unresolved;
        return { unresolved: others, resolvedAt: event.at, lastEventAt: event.at };
      }
      default:
        return unchanged(state, event);
    }
  },
};

/** The skipped event after an attempt that failed, the first or a further one. */
export function evolveSkippedEvent(
  before: Pick<SkippedEvent, 'firstAt'> | null,
  event: Extract<SkippedEventEvent, { type: 'EventSkipped' }>,
): SkippedEvent {
  const { at, skippedEventId: id, attempt: attempts, eventType: type, position, stream, revision, rows, error, frames } = event;
  const firstAt = before?.firstAt ?? at;
  return { id, position, type, stream, revision, rows, error, frames, attempts, firstAt, lastAt: at };
}
