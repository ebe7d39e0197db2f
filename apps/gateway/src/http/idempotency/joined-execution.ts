export interface RequestIdentity {
  readonly recordKey: string;
  readonly fingerprint: string;
  readonly formerFingerprint: () => string;
  readonly requestId: string;
  readonly joins: boolean;
}

/** A request whose key another execution holds: it works on the same ids, and its answer counts if that one leaves none. */
export class JoinedExecution {
  /** Its answer is no replay. */
  readonly originalRequest = null;

  constructor(
    readonly identity: RequestIdentity,
    /** When the first execution began. */
    readonly startedAt: number,
  ) {}
}
