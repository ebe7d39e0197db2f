import type { SkippedEvent } from './skipped-event.js';

interface Happened {
  readonly at: number;
  readonly skippedEventId: string;
}

/** `eventType` and the members after it are those of the event that was skipped. */
export type SkippedEventEvent =
  | (Happened &
      Pick<SkippedEvent, 'position' | 'stream' | 'revision' | 'rows' | 'error' | 'frames'> & {
        readonly type: 'EventSkipped';
        readonly eventType: string;
        /** The number of this attempt to apply it, from 1. */
        readonly attempt: number;
      })
  | (Happened & { readonly type: 'SkippedEventResolved'; readonly position: string });
