/** How long the steps of an attempt took, in whole milliseconds. Null for a step that was not needed, or did not come to its end. */
export interface AttemptTimings {
  /** Looking up the host's name. */
  readonly dnsMs: number | null;
  /** Connecting, without the lookup and TLS. */
  readonly connectMs: number | null;
  readonly tlsMs: number | null;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number | null;
}

export const NO_TIMINGS: AttemptTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };
