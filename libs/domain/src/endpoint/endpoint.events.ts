/** A signing secret, sealed: nobody reads it from the log. */
export type SealedSecret = string;

export interface EndpointDetails {
  readonly url: string;
  /** Empty: all events. */
  readonly filters: readonly string[];
  readonly description: string | null;
  /** Sent with every delivery. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text as sent. */
  readonly metadata: string;
}

export const ENDPOINT_STATUSES = ['enabled', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export type EndpointChanges = Partial<EndpointDetails> & { readonly status?: EndpointStatus };

interface Happened {
  readonly at: number;
  readonly endpointId: string;
}

/** What happens in a project's `endpoints-…` stream. */
export type EndpointEvent =
  | (Happened & {
      readonly type: 'EndpointRegistered';
      readonly projectId: string;
      readonly secret: SealedSecret;
      readonly secretHint: string;
    } & EndpointDetails)
  | (Happened & { readonly type: 'EndpointUpdated'; readonly changes: EndpointChanges; readonly commandId?: string })
  | (Happened & {
      readonly type: 'EndpointSecretRotated';
      /** Names the rotation, so that the same request does not rotate twice. */
      readonly rotationId: string;
      readonly secret: SealedSecret;
      readonly secretHint: string;
      /** When by the clock, which may have been set back behind `at`; events of earlier versions have `at` alone. */
      readonly rotatedAt?: number;
      /** How long the secret before stays good; not after the rotation: not at all. */
      readonly previousUntil: number;
    })
  | (Happened & { readonly type: 'EndpointDeleted' });
