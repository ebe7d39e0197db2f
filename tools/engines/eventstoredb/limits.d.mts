/** What a server takes and how fast it is. */
export interface Limits {
  readonly maxAppendBytes: number;
  readonly maxEventBytes?: number;
}

/** The defaults of servers, by the first version that has them. */
export const LIMITS: Readonly<Record<'22.10' | '26', Limits>>;
