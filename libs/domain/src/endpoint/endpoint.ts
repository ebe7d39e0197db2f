import type { CommandIds } from '../kernel/command-ids.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import type { DisabledReason, EndpointDetails, EndpointStatus, PauseReason, SealedSecret } from './endpoint.events.js';
import { matches } from './event-filter.js';

export const MAX_URL_CHARACTERS = 2048;

interface PreviousSecret {
  readonly secret: SealedSecret;
  readonly until: number;
}

interface Rotation {
  readonly id: string;
  readonly secret: SealedSecret;
}

export interface Endpoint extends EndpointDetails {
  readonly id: string;
  readonly projectId: string;
  /** The number of endpoints registered before; the order of lists. */
  readonly ordinal: number;
  readonly status: EndpointStatus;
  /** Null unless the service itself disabled it. */
  readonly disabledReason: DisabledReason | null;
  /** When and why it was paused; null unless it is. */
  readonly pausedAt: number | null;
  readonly pausedReason: PauseReason | null;
  /** When it was resumed or enabled the last time; its registration at first. */
  readonly enabledAt: number;
  /** Headers stored unencrypted by an earlier version, until they are encrypted; else empty. */
  readonly plainHeaders: Readonly<Record<string, string>>;
  /** How often it was disabled: deliveries from before the last time stay unsent when it is enabled again. */
  readonly disablings: number;
  readonly secret: SealedSecret;
  readonly secretHint: string;
  readonly secretRotatedAt: number | null;
  /** Newest first; some may have expired. */
  readonly previousSecrets: readonly PreviousSecret[];
  readonly commandIds: CommandIds;
  readonly rotations: readonly Rotation[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  readonly registered: number;
  readonly lastEventAt: number;
}

export function endpointOf({ endpoints }: Endpoints, endpointId: string): Endpoint | undefined {
  return endpoints.find(({ id }) => id === endpointId);
}

/** Throws `resource_missing` for an unknown or deleted endpoint. */
export function knownEndpoint(endpoints: Endpoints, endpointId: string): Endpoint {
  const endpoint = endpointOf(endpoints, endpointId);
  if (!endpoint) throw resourceMissing('webhook endpoint');
  return endpoint;
}

export function endpointDisabled(): DomainError {
  return new DomainError('webhook_endpoint_disabled', 'The webhook endpoint is disabled.');
}

/** Those that get an event; what a paused one gets waits. */
export function wanting({ endpoints }: Endpoints, eventType: string): readonly Endpoint[] {
  return endpoints.filter(({ status, filters }) => status !== 'disabled' && matches(filters, eventType));
}

export function signingSecrets({ secret, previousSecrets }: Endpoint, at: number): readonly SealedSecret[] {
  return [secret, ...previousSecrets.filter(({ until }) => until > at).map((previous) => previous.secret)];
}

export function secretOf({ rotations, secret }: Endpoint, rotationId: string): SealedSecret {
  return rotations.find(({ id }) => id === rotationId)?.secret ?? secret;
}

/** Until when the newest previous secret signs; null if none does. */
export function previousSecretUntil({ previousSecrets }: Endpoint, at: number): number | null {
  return previousSecrets.find(({ until }) => until > at)?.until ?? null;
}
