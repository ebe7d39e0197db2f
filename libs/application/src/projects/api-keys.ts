import type { Caller } from './caller.js';

/** Finds who an API key speaks for. */
export abstract class ApiKeys {
  /** What a secret is remembered by; it says nothing of the secret. */
  abstract hashOf(secret: string): string;

  /** The caller whose secret has this hash, where that is known without reading anything. Counts as a use of the key. */
  abstract known(hash: string): Caller | null;

  /** Rejects with `api_key_missing`, `api_key_invalid`, `api_key_expired` or `api_key_revoked`. */
  abstract authenticate(secret: string | null): Promise<Caller>;
}
