import type { CommandIds } from '../kernel/command-ids.js';
import { resourceMissing } from '../kernel/domain-error.js';
import type { EndpointDetails, EndpointStatus, SealedSecret } from './endpoint.events.js';
import { matches } from './event-filter.js';

/** The maximum length of an endpoint's URL. */
export const MAX_URL_CHARACTERS = 2048;

interface PreviousSecret {
  readonly secret: SealedSecret;
  readonly until: number;
}

/** A rotation request and the secret it created. */
interface Rotation {
  readonly id: string;
  readonly secret: SealedSecret;
}

/** A webhook endpoint of a project. */
export interface Endpoint extends EndpointDetails {
  readonly id: string;
  readonly projectId: string;
  /** The number of endpoints registered before it, which orders lists. */
  readonly ordinal: number;
  readonly status: EndpointStatus;
  /** Headers that an earlier version stored as they are, until they are sealed; empty otherwise. */
  readonly plainHeaders: Readonly<Record<string, string>>;
  /**
   * How many times it has been disabled: deliveries scheduled before the last time are not sent when it is enabled
   * again.
   */
  readonly disablings: number;
  readonly secret: SealedSecret;
  readonly secretHint: string;
  readonly secretRotatedAt: number | null;
  /** The previous secrets, newest first; some may have expired. */
  readonly previousSecrets: readonly PreviousSecret[];
  readonly commandIds: CommandIds;
  /** The latest rotations, newest first. */
  readonly rotations: readonly Rotation[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A project's endpoints, oldest first. */
export interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  /** The number of endpoints ever registered. */
  readonly registered: number;
  readonly lastEventAt: number;
}

export function endpointOf({ endpoints }: Endpoints, endpointId: string): Endpoint | undefined {
  return endpoints.find(({ id }) => id === endpointId);
}

/** Refuses with `resource_missing` an endpoint that is unknown or deleted. */
export function knownEndpoint(endpoints: Endpoints, endpointId: string): Endpoint {
  const endpoint = endpointOf(endpoints, endpointId);
  if (!endpoint) throw resourceMissing('webhook endpoint');
  return endpoint;
}

/** The enabled endpoints that receive events of this type. */
export function wanting({ endpoints }: Endpoints, eventType: string): readonly Endpoint[] {
  return endpoints.filter(({ status, filters }) => status === 'enabled' && matches(filters, eventType));
}

/** The secrets that sign at this instant, the current one first. */
export function signingSecrets({ secret, previousSecrets }: Endpoint, at: number): readonly SealedSecret[] {
  return [secret, ...previousSecrets.filter(({ until }) => until > at).map((previous) => previous.secret)];
}

/** The secret that a rotation created, regardless of later rotations. */
export function secretOf({ rotations, secret }: Endpoint, rotationId: string): SealedSecret {
  return rotations.find(({ id }) => id === rotationId)?.secret ?? secret;
}

/** How long the newest previous secret still signs; null when none does. */
export function previousSecretUntil({ previousSecrets }: Endpoint, at: number): number | null {
  return previousSecrets.find(({ until }) => until > at)?.until ?? null;
}
