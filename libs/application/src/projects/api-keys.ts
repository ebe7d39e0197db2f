import type { Caller } from './caller.js';

export abstract class ApiKeys {
  /** Records the use. Rejects with `api_key_missing`, `api_key_invalid`, `api_key_expired` or `api_key_revoked`. */
  abstract authenticate(secret: string | null): Promise<Caller>;

  /** Whether an active key has this secret. Does not count as a use of the key. */
  abstract isActive(secret: string): Promise<boolean>;
}
