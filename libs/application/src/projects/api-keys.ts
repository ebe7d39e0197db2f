import type { Caller } from './caller.js';

/** Finds the caller that an API key belongs to. */
export abstract class ApiKeys {
  /** Counts as a use of the key. Rejects with `api_key_missing`, `api_key_invalid`, `api_key_expired` or `api_key_revoked`. */
  abstract authenticate(secret: string | null): Promise<Caller>;
}
