import { Command, Query } from '@nestjs/cqrs';
import type { EndpointDetails, EndpointStatus } from '@domain/endpoint/endpoint.events';
import type { Page, PageRequest } from '../../paging/page.js';
import type { RequestContext } from '../../runtime/request-context.js';

/** What a client says of an endpoint. */
export interface EndpointInput extends Omit<EndpointDetails, 'sealedHeaders'> {
  /** Every delivery sends these headers. */
  readonly headers: Readonly<Record<string, string>>;
}

export type EndpointInputChanges = Partial<EndpointInput> & { readonly status?: EndpointStatus };

/** A webhook endpoint as a client sees it: without its secrets, the values of its headers masked. */
export interface EndpointView extends EndpointInput {
  readonly id: string;
  readonly status: EndpointStatus;
  readonly secretHint: string;
  readonly secretRotatedAt: number | null;
  /** Until when the previous secret signs too (epoch milliseconds); null when it does not. */
  readonly previousSecretExpiresAt: number | null;
  /** When the first attempt began that failed since the last success; null while none has. */
  readonly failingSince: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface EndpointWithSecret {
  readonly endpoint: EndpointView;
  /** Shown once: it cannot be read again. */
  readonly secret: string;
}

/** Registers an endpoint. Refuses with `url_invalid`, `event_filter_invalid`, `limit_exceeded`, `parameter_invalid` for headers. */
export class RegisterEndpoint extends Command<EndpointWithSecret> {
  constructor(
    readonly context: RequestContext,
    readonly details: EndpointInput,
  ) {
    super();
  }
}

/**
 * Changes what is given. A masked value of a header keeps what it was, and a `url` of another host, port or scheme without
 * `headers` clears them. Refuses with `url_invalid`, `event_filter_invalid`, `parameter_invalid` for headers.
 */
export class UpdateEndpoint extends Command<EndpointView> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
    readonly changes: EndpointInputChanges,
  ) {
    super();
  }
}

/** Gives an endpoint a new secret; the previous one signs too for `graceMs`. */
export class RotateEndpointSecret extends Command<EndpointWithSecret> {
  constructor(
    readonly context: RequestContext,
    readonly endpointId: string,
    readonly graceMs: number,
  ) {
    super();
  }
}

/** Deletes an endpoint and cancels the deliveries that wait for it. */
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
