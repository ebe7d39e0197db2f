/** Judges where webhooks may be sent. */
export abstract class AddressGuard {
  /**
   * Why this URL is refused as a webhook's target, or null. Reads as the rest of a sentence that begins with
   * "The URL". Asks no name server: what a name stands for is judged anew at every connection.
   */
  abstract objection(url: string): string | null;
}
