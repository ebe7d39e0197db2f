/** Judges where webhooks may be sent. */
export abstract class AddressGuard {
  /**
   * Why this URL is refused as a webhook's target, as the rest of a sentence that begins with "The URL"; null when it is
   * not. Resolves no name: the address of a name is judged at every connection.
   */
  abstract objection(url: string): string | null;
}
