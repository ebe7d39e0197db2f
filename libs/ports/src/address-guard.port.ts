/** Judges where webhooks may be sent. */
export abstract class AddressGuard {
  /** Why this URL may not be a webhook's target, as the rest of a sentence after "The URL"; null if allowed. Resolves no names. */
  abstract objection(url: string): string | null;
}
