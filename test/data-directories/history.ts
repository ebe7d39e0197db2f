import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request under an Idempotency-Key that the release answered. */
export interface KeyedRequest {
  readonly key: string;
  /** Whether the release that answered keeps the answer. */
  readonly isKept: boolean;
  readonly token: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly answer: KeptAnswer;
}

/** What the release was asked for, and what it answered. */
export interface History {
  /** Of the release. */
  readonly commit: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
  readonly apiKey: string;
  /** Of a session of an administrator; version 0.1.0 has none. */
  readonly adminToken?: string;
  readonly requests: readonly KeyedRequest[];
  readonly reads: readonly { readonly path: string; readonly body: string }[];
  /** The webhooks that came to the endpoints, by path. */
  readonly posted: readonly { readonly path: string; readonly body: string }[];
}

/** @param name of a file beside this one, without its ending */
export function historyOf(name: string): History {
  return JSON.parse(readFileSync(join(__dirname, `${name}.json`), 'utf8')) as History;
}
