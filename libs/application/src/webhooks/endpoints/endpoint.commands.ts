import { Command, Query } from '@nestjs/cqrs';
import type { DisabledReason, EndpointDetails, EndpointStatus, GivenStatus, PauseReason } from '@domain/endpoint/endpoint.events';
import type { Page, PageRequest } from '../../paging/page.js';
import type { RequestContext } from '../../runtime/request-context.js';

export interface EndpointInput extends Omit<EndpointDetails, 'sealedHeaders'> {
  readonly headers: Readonly<Record<string, string>>;
}

export type EndpointInputChanges = Partial<EndpointInput> & { readonly status?: GivenStatus };

/** Without secrets; header values are masked. */
export interface EndpointView extends EndpointInput {
  readonly id: string;
  readonly status: EndpointStatus;
  readonly disabledReason: DisabledReason | null;
  readonly pausedAt: number | null;
  readonly pausedReason: PauseReason | null;
  readonly secretHint: string;
  readonly secretRotatedAt: number | null;
  /** Until when the previous secret signs too; null when it does not. */
  readonly previousSecretExpiresAt: number | null;
  readonly failingSince: number | null;
  readonly oldestPendingAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface EndpointWithSecret {
  readonly endpoint: EndpointView;
  readonly secret: string;
}

/** Refuses with `url_invalid`, `event_filter_invalid`, `limit_exceeded`, and `parameter_invalid` for headers. */
export class RegisterEndpoint extends Command<EndpointWithSecret> {
  constructor(
    readonly context: RequestContext,
    readonly details: EndpointInput,
  ) {
    super();
  }
}

/** A masked header value keeps the old one; a `url` of another host, port or scheme without `headers` clears them. */
export class UpdateEndpoint extends Command<EndpointView> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
    readonly changes: EndpointInputChanges,
  ) {
    super();
  }
}

/**
 * What is due to it waits. A no-op on a paused one. Refuses with `webhook_endpoint_disabled`, and `service_unavailable` beside a
 * process of an older release, which would go on sending.
 */
export class PauseEndpoint extends Command<EndpointView> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
  ) {
    super();
  }
}

/** What waited is due. A no-op on an enabled one. Refuses with `webhook_endpoint_disabled`. */
export class ResumeEndpoint extends Command<EndpointView> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
  ) {
    super();
  }
}

/** The previous secret also signs for `graceMs`. */
export class RotateEndpointSecret extends Command<EndpointWithSecret> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
    readonly graceMs: number,
  ) {
    super();
  }
}

/** Also cancels the deliveries that wait for it. */
export class DeleteEndpoint extends Command<{ readonly id: string }> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
  ) {
    super();
  }
}

export class GetEndpoint extends Query<EndpointView> {
  constructor(
    readonly projectId: string,
    readonly endpointId: string,
  ) {
    super();
  }
}

export class ListEndpoints extends Query<Page<EndpointView>> {
  constructor(
    readonly projectId: string,
    readonly status: EndpointStatus | null,
    readonly page: PageRequest,
  ) {
    super();
  }
}
