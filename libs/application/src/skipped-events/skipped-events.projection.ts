import type { SkippedEvent } from '@domain/skipped-event/skipped-event';
import type { SkippedEventEvent } from '@domain/skipped-event/skipped-event.events';
import { evolveSkippedEvent } from '@domain/skipped-event/skipped-events.decider';
import { idIn } from '@ports/stream-category';
import { INSTALLATION } from '../projects/projects.projection.js';
import type { Projection } from '../read-models/projection.js';
import { SKIPPED_CATEGORY, skippedStream } from './skipped-event-directory.js';

export interface SkippedEventRow extends Omit<SkippedEvent, 'id'> {
  /** The projection or reactor that lacks it. */
  readonly component: string;
  /** When it was skipped first; null once it is resolved. */
  readonly unresolvedSince: number | null;
}

/** Of all components, in the administrator's list. A resolved one leaves it. */
export const skippedEventsProjection: Projection<SkippedEventEvent, SkippedEventRow> = {
  schema: { name: 'skipped_events', version: 1, filterFields: ['component'], dueFields: ['unresolvedSince'] },
  columns: {
    component: { type: 'text', meaning: 'The projection or reactor that lacks the event.' },
    position: { type: 'text', name: 'event_position', meaning: 'Where the event is in the log.' },
    type: { type: 'text', meaning: 'The type of the event.' },
    stream: { type: 'text', meaning: 'The stream of the event.' },
    revision: { type: 'integer', meaning: 'The place of the event in its stream, from 0.' },
    rows: { type: 'json', meaning: 'The ids of the rows that lack it, of a projection.' },
    error: { type: 'text', meaning: 'The name of the latest error.' },
    frames: { type: 'json', meaning: 'Where in this program that error was thrown.' },
    attempts: { type: 'integer', meaning: 'How often the component has tried.' },
    firstAt: { type: 'time', meaning: 'When it was skipped first.' },
    lastAt: { type: 'time', meaning: 'When it was skipped last.' },
    unresolvedSince: { leftOut: 'An index: `first_at`, until it is resolved.' },
  },
  idKind: 'skippedEvent',
  categories: [SKIPPED_CATEGORY],
  rowIds: ({ event }) => ('skippedEventId' in event ? [event.skippedEventId] : []),
  begins: ({ event }) => event.type === 'EventSkipped' && event.attempt === 1,
  streamsOf: ({ component }) => [skippedStream(component)],
  project(before, { event, stream }) {
    switch (event.type) {
      case 'EventSkipped': {
        const { id: _, ...skipped } = evolveSkippedEvent(before && before.row, event);
        const row = { ...skipped, component: idIn(stream), unresolvedSince: skipped.firstAt };
        return { projectId: INSTALLATION, createdAt: skipped.firstAt, deleted: false, row };
      }
      case 'SkippedEventResolved':
        return before && { ...before, deleted: true, row: { ...before.row, unresolvedSince: null } };
      default:
        return null;
    }
  },
};
