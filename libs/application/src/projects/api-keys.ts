import type { Caller } from './caller.js';

/** Finds who an API key speaks for. */
export abstract class ApiKeys {
  /** Rejects with `api_key_missing`, `api_key_invalid`, `api_key_expired` or `api_key_revoked`. */
  abstract authenticate(secret: string | null): Promise<Caller>;
}
