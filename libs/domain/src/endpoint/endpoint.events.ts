/** Encrypted: the log never holds the plain text. */
export type SealedSecret = string;

export type SealedHeaders = Readonly<Record<string, SealedSecret>>;

export interface EndpointDetails {
  readonly url: string;
  /** An empty list selects all events. */
  readonly filters: readonly string[];
  readonly description: string | null;
  readonly sealedHeaders: SealedHeaders;
  readonly metadata: string;
  /** Whether a 410 disables it. */
  readonly disableOnGone: boolean;
  /** How many attempts may begin in a second; null for no limit. */
  readonly rateLimitPerSecond: number | null;
}

export const ENDPOINT_STATUSES = ['enabled', 'paused', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** Those that a change may give. */
export const GIVEN_STATUSES = ['enabled', 'disabled'] as const satisfies readonly EndpointStatus[];
export type GivenStatus = (typeof GIVEN_STATUSES)[number];

/** `auto_failing`: by the service, since the endpoint has failed for long. */
export const PAUSE_REASONS = ['user', 'auto_failing'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Why the service itself disabled an endpoint: its receiver answered 410. */
export const DISABLED_REASONS = ['gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export type EndpointChanges = Partial<EndpointDetails> & {
  readonly status?: GivenStatus;
  /** With `status: disabled`, unless a client asked for that. */
  readonly disabledReason?: DisabledReason;
};

/** Absent in registrations of earlier versions. */
type LaterDetail = 'sealedHeaders' | 'disableOnGone' | 'rateLimitPerSecond';

/** Events of earlier versions hold unencrypted headers. */
interface PlainHeaders {
  readonly headers?: Readonly<Record<string, string>>;
}

interface Happened {
  readonly at: number;
  readonly endpointId: string;
}

export type EndpointEvent =
  | (Happened & {
      readonly type: 'EndpointRegistered';
      readonly projectId: string;
      readonly secret: SealedSecret;
      readonly secretHint: string;
    } & Omit<EndpointDetails, LaterDetail> &
      Partial<Pick<EndpointDetails, LaterDetail>> &
      PlainHeaders)
  | (Happened & {
      readonly type: 'EndpointUpdated';
      readonly changes: EndpointChanges & PlainHeaders;
      readonly commandId?: string;
    })
  /** Encrypts headers that an earlier version stored unencrypted. */
  | (Happened & { readonly type: 'EndpointHeadersSealed'; readonly sealedHeaders: SealedHeaders })
  | (Happened & {
      readonly type: 'EndpointSecretRotated';
      /** Identifies the rotation, so that a retried request does not rotate twice. */
      readonly rotationId: string;
      readonly secret: SealedSecret;
      readonly secretHint: string;
      /** The clock's time, before `at` if the clock was set back; absent in earlier versions. */
      readonly rotatedAt?: number;
      /** Until when the previous secret is valid; an instant not after the rotation ends it at once. */
      readonly previousUntil: number;
    })
  /** Its deliveries wait, until it is resumed or changed to `enabled`. */
  | (Happened & { readonly type: 'EndpointPaused'; readonly reason: PauseReason; readonly commandId: string })
  | (Happened & { readonly type: 'EndpointResumed'; readonly commandId: string })
  | (Happened & { readonly type: 'EndpointDeleted' });
