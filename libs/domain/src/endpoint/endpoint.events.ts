/** An encrypted secret: the log never holds the plain text. */
export type SealedSecret = string;

/** The values of headers by name. */
export type SealedHeaders = Readonly<Record<string, SealedSecret>>;

export interface EndpointDetails {
  readonly url: string;
  /** An empty list selects all events. */
  readonly filters: readonly string[];
  readonly description: string | null;
  /** Every delivery sends these headers. */
  readonly sealedHeaders: SealedHeaders;
  /** The JSON text as sent. */
  readonly metadata: string;
}

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export type EndpointChanges = Partial<EndpointDetails> & { readonly status?: EndpointStatus };

/** Events of earlier versions hold the values as they are, instead of sealed ones. */
interface PlainHeaders {
  readonly headers?: Readonly<Record<string, string>>;
}

interface Happened {
  readonly at: number;
  readonly endpointId: string;
}

/** The events of a project's `endpoints-…` stream. */
export type EndpointEvent =
  | (Happened & {
      readonly type: 'EndpointRegistered';
      readonly projectId: string;
      readonly secret: SealedSecret;
      readonly secretHint: string;
    } & Omit<EndpointDetails, 'sealedHeaders'> &
      Partial<Pick<EndpointDetails, 'sealedHeaders'>> &
      PlainHeaders)
  | (Happened & {
      readonly type: 'EndpointUpdated';
      readonly changes: EndpointChanges & PlainHeaders;
      readonly commandId?: string;
    })
  /** The headers that an event of an earlier version holds as they are. */
  | (Happened & { readonly type: 'EndpointHeadersSealed'; readonly sealedHeaders: SealedHeaders })
  | (Happened & {
      readonly type: 'EndpointSecretRotated';
      /** Identifies the rotation, so that a retried request does not rotate twice. */
      readonly rotationId: string;
      readonly secret: SealedSecret;
      readonly secretHint: string;
      /**
       * The clock's time, which may be before `at` when the clock was set back; events of earlier versions carry `at`
       * alone.
       */
      readonly rotatedAt?: number;
      /** Until when the previous secret stays valid; an instant not after the rotation ends it at once. */
      readonly previousUntil: number;
    })
  | (Happened & { readonly type: 'EndpointDeleted' });
