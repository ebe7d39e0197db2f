import type { Verb } from './words.js';

/** Where an appointment is to be: by calendar and clock of the conversation's zone, as an instant, or so much later than now. */
export interface Goal {
  /** ISO date. */
  readonly date?: string;
  /** HH:MM. */
  readonly clock?: string;
  /** Epoch milliseconds. */
  readonly at?: number | undefined;
  readonly minutesLater?: number;
  readonly daysLater?: number;
}

/** What a yes does. `at` is where the appointment is, or shall be. */
export type Offer =
  | { readonly verb: 'person' }
  | { readonly verb: 'book'; readonly service: string; readonly at: number; readonly minutes?: number | undefined }
  | {
      readonly verb: 'confirm' | 'cancel' | 'move';
      readonly service: string;
      readonly at: number;
      readonly id: string;
      readonly version: number;
    };

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
  /** The appointment that was spoken of last. */
  readonly about?: string;
}

/** Raised with every change of the shape: a note of another version is not understood. */
const VERSION = 1;
const LONGEST = 2000;

/** A note as it was written; an empty one where it is none of this version. */
export function noteOf(text: string | undefined): Note {
  const stored: unknown = text === undefined ? null : JSON.parse(text);
  return typeof stored === 'object' && stored !== null && 'v' in stored && stored.v === VERSION ? (stored as Note) : {};
}

/** Of a note that would be too long nothing is left: what is open is then asked for again. */
export function textOf(note: Note): string {
  const text = JSON.stringify({ v: VERSION, ...note });
  return Buffer.byteLength(text) > LONGEST ? JSON.stringify({ v: VERSION }) : text;
}
