import type { CommandIds } from '../kernel/command-ids.js';
import { resourceMissing } from '../kernel/domain-error.js';
import type { EndpointDetails, EndpointStatus, SealedSecret } from './endpoint.events.js';
import { matches } from './event-filter.js';

/** Of an endpoint's URL. */
export const MOST_URL_CHARACTERS = 2048;

interface PreviousSecret {
  readonly secret: SealedSecret;
  readonly until: number;
}

/** The request that rotated the secret, and the secret it made. */
interface Rotation {
  readonly id: string;
  readonly secret: SealedSecret;
}

/** Where a project wants its events sent. */
export interface Endpoint extends EndpointDetails {
  readonly id: string;
  readonly projectId: string;
  /** How many were registered before it: its place in lists. */
  readonly ordinal: number;
  readonly status: EndpointStatus;
  /** How often it was disabled so far: what waited for it then is not sent when it is enabled again. */
  readonly disablings: number;
  readonly secret: SealedSecret;
  readonly secretHint: string;
  readonly secretRotatedAt: number | null;
  /** Newest first; some may have run out. */
  readonly previousSecrets: readonly PreviousSecret[];
  readonly commandIds: CommandIds;
  /** The latest, newest first. */
  readonly rotations: readonly Rotation[];
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A project's endpoints, oldest first. */
export interface Endpoints {
  readonly endpoints: readonly Endpoint[];
  /** How many were ever registered. */
  readonly registered: number;
  readonly lastEventAt: number;
}

export function endpointOf({ endpoints }: Endpoints, endpointId: string): Endpoint | undefined {
  return endpoints.find(({ id }) => id === endpointId);
}

/** Refuses with `resource_missing` what is not, or no longer, among them. */
export function knownEndpoint(endpoints: Endpoints, endpointId: string): Endpoint {
  const endpoint = endpointOf(endpoints, endpointId);
  if (!endpoint) throw resourceMissing('webhook endpoint');
  return endpoint;
}

/** The endpoints that get an event of this kind. */
export function wanting({ endpoints }: Endpoints, eventType: string): readonly Endpoint[] {
  return endpoints.filter(({ status, filters }) => status === 'enabled' && matches(filters, eventType));
}

/** The secrets that sign at this instant, the present one first. */
export function signingSecrets({ secret, previousSecrets }: Endpoint, at: number): readonly SealedSecret[] {
  return [secret, ...previousSecrets.filter(({ until }) => until > at).map((previous) => previous.secret)];
}

/** The secret that a rotation made, whichever came after it. */
export function secretOf({ rotations, secret }: Endpoint, rotationId: string): SealedSecret {
  return rotations.find(({ id }) => id === rotationId)?.secret ?? secret;
}

/** How long the newest previous secret still signs; null when none does. */
export function previousSecretUntil({ previousSecrets }: Endpoint, at: number): number | null {
  return previousSecrets.find(({ until }) => until > at)?.until ?? null;
}
