import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface RecordedEvent {
  readonly id: number;
  readonly type: string;
  readonly data?: unknown;
  readonly big?: number;
  readonly bytes?: number;
  readonly metadata?: unknown;
}

export interface RecordedCall {
  readonly op: string;
  readonly stream: string;
  readonly events: readonly RecordedEvent[];
  readonly expect?: string;
  readonly direction?: 'forwards' | 'backwards';
  readonly from?: 'start' | 'end' | { readonly revision?: string; readonly event?: string };
  readonly max?: number;
  readonly first?: number;
  readonly only: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly afterMs?: number;
  readonly filter: { readonly streams: string[] };
  readonly then?: readonly RecordedCall[];
}

export interface Told {
  readonly told: readonly string[];
  readonly checkpoints: boolean;
}

export interface Recorded {
  readonly call: RecordedCall;
  readonly answer: unknown;
}

export interface Recording {
  readonly server: string;
  readonly recorded: readonly Recorded[];
}

export const recordingOf = (name: string): Recording =>
  JSON.parse(readFileSync(join(__dirname, `${name}.json`), 'utf8')) as Recording;
