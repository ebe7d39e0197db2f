import { type AppointmentSummary, MAX_NOTE_BYTES } from '@ports/agent.port';
import type { Verb } from './words.js';

/** Where an appointment is to be, by the conversation's zone. What it leaves open stays as it is. */
export interface Goal {
  /** ISO date. */
  readonly date?: string;
  /** HH:MM. */
  readonly clock?: string;
  /** How much later than it is now. */
  readonly shift?: { readonly days: number; readonly minutes: number };
}

/** What a yes does. */
export type Offer = { readonly verb: 'person' } | Appointed;

/** `at` is where the appointment is, or shall be. */
export type Appointed =
  | { readonly verb: 'book'; readonly service: string; readonly at: number; readonly minutes?: number | undefined }
  | (Pick<AppointmentSummary, 'id' | 'service'> & {
      readonly verb: Exclude<Verb, 'book'>;
      readonly version: number;
      readonly at: number;
    });

/** An order that lacks something, or of which one of several appointments is to be chosen. */
export interface Draft {
  readonly verb: Verb;
  readonly goal: Goal;
  readonly service?: string | undefined;
  readonly minutes?: number | undefined;
  readonly wasAskedForService?: boolean;
  /** The appointments that it may be about. */
  readonly ids?: readonly string[];
  readonly isChoice?: boolean;
  /** A message about it was not read whole: once it is complete it is offered, not done. */
  readonly isDoubted?: boolean;
}

/** What an agent keeps from one reply to the next. */
export interface Note {
  readonly offer?: Offer;
  readonly draft?: Draft;
  /** The appointment that was spoken of last; empty where there is no such one. */
  readonly about?: string | undefined;
}

/** Raised with every change of the shape: a note of another version is not understood. */
const VERSION = 2;

/** A note as it was written; an empty one where it is none of this version. */
export function noteOf(text = 'null'): Note {
  const stored = JSON.parse(text) as (Note & { readonly v: number }) | null;
  return stored?.v === VERSION ? stored : {};
}

/** Of a note that would be too long nothing is left: what is open is then asked for again. */
export function textOf(note: Note): string {
  const text = JSON.stringify({ ...note, v: VERSION });
  return Buffer.byteLength(text) > MAX_NOTE_BYTES ? '{}' : text;
}
