import { type AppointmentSummary, MAX_NOTE_BYTES } from '@ports/agent.port';
import type { Verb } from './words.js';

/** The target of an order, in the conversation's zone. Missing parts stay as they are. */
export interface Goal {
  /** ISO date. */
  readonly date?: string;
  /** HH:MM. */
  readonly clock?: string;
  /** Relative to the present time. */
  readonly shift?: { readonly days: number; readonly minutes: number };
}

export type Offer = { readonly verb: 'person' } | Appointed;

/** `at` is the appointment's present or future start. */
export type Appointed =
  | { readonly verb: 'book'; readonly service: string; readonly at: number; readonly minutes?: number | undefined }
  | (Pick<AppointmentSummary, 'id' | 'service'> & {
      readonly verb: Exclude<Verb, 'book'>;
      readonly version: number;
      readonly at: number;
    });

/** An incomplete order, or one that may concern several appointments. */
export interface Draft {
  readonly verb: Verb;
  readonly goal: Goal;
  readonly service?: string | undefined;
  readonly minutes?: number | undefined;
  readonly wasAskedForService?: boolean;
  readonly ids?: readonly string[];
  readonly isChoice?: boolean;
  /** Some words were not understood: once complete it is offered, not carried out. */
  readonly isDoubted?: boolean;
}

export interface Note {
  readonly offer?: Offer;
  readonly draft?: Draft;
  /** The last appointment mentioned; empty if it is unknown. */
  readonly about?: string | undefined;
}

/** Raised with every change of the format; notes of other versions are ignored. */
const VERSION = 2;

/** Empty for another version. */
export function noteOf(text = 'null'): Note {
  const stored = JSON.parse(text) as (Note & { readonly v: number }) | null;
  return stored?.v === VERSION ? stored : {};
}

/** Too long a note is dropped: the open question is then asked again. */
export function textOf(note: Note): string {
  const text = JSON.stringify({ ...note, v: VERSION });
  return Buffer.byteLength(text) > MAX_NOTE_BYTES ? '{}' : text;
}
