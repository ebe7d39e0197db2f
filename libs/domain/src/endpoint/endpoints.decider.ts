import { remembering } from '../kernel/command-ids.js';
import { type Decider, unchanged } from '../kernel/decider.js';
import { differing, hasAny } from '../kernel/differing.js';
import { DomainError } from '../kernel/domain-error.js';
import { endpointOf, knownEndpoint, type Endpoint, type Endpoints } from './endpoint.js';
import { pausedOrResumed, pauseOrResume, statusSince, type PauseCommand } from './endpoint-pauses.js';
import type { EndpointChanges, EndpointDetails, EndpointEvent, SealedHeaders, SealedSecret } from './endpoint.events.js';
import { isEventFilter } from './event-filter.js';
import { headersAfter, type HeaderChanges } from './header-changes.js';

export const MAX_ENDPOINTS = 50;
const MAX_PREVIOUS_SECRETS = 2;
/** A retried rotation is recognized among this many latest ones; retries usually come within seconds. */
const MAX_ROTATIONS_KNOWN = 20;

export type EndpointCommand =
  | {
      readonly type: 'RegisterEndpoint';
      readonly at: number;
      readonly endpointId: string;
      readonly projectId: string;
      readonly details: EndpointDetails;
      readonly secret: SealedSecret;
      readonly secretHint: string;
    }
  | {
      readonly type: 'UpdateEndpoint';
      readonly at: number;
      readonly endpointId: string;
      readonly commandId: string;
      readonly changes: Omit<EndpointChanges, 'sealedHeaders' | 'disabledReason'> & { readonly sealedHeaders?: HeaderChanges };
    }
  | {
      /** Its receiver answered 410. Does nothing if it was disabled, moved or changed its mind since that attempt. */
      readonly type: 'DisableGoneEndpoint';
      readonly at: number;
      readonly endpointId: string;
      /** Where the attempt was sent, and how often the endpoint had been disabled when its delivery was scheduled. */
      readonly url: string;
      readonly disablings: number;
    }
  | {
      /** Encrypts the unencrypted headers of an earlier version, if they have not changed. */
      readonly type: 'SealEndpointHeaders';
      readonly at: number;
      readonly endpointId: string;
      readonly plainHeaders: Endpoint['plainHeaders'];
      readonly sealedHeaders: SealedHeaders;
    }
  | {
      readonly type: 'RotateEndpointSecret';
      readonly at: number;
      readonly endpointId: string;
      readonly rotationId: string;
      readonly secret: SealedSecret;
      readonly secretHint: string;
      readonly graceMs: number;
    }
  | PauseCommand
  | { readonly type: 'DeleteEndpoint'; readonly at: number; readonly endpointId: string };

/** A project's endpoints share one stream, so that their number can be limited. */
export const endpointsDecider: Decider<Endpoints, EndpointCommand, EndpointEvent> = {
  initial: { endpoints: [], registered: 0, lastEventAt: 0 },
  decide(command, state) {
    const at = Math.max(command.at, state.lastEventAt);
    switch (command.type) {
      case 'RegisterEndpoint':
        return register(command, state, at);
      case 'UpdateEndpoint':
        return update(command, knownEndpoint(state, command.endpointId), at);
      case 'DisableGoneEndpoint':
        return disableGone(command, state, at);
      case 'SealEndpointHeaders':
        return seal(command, state, at);
      case 'RotateEndpointSecret':
        return rotate(command, knownEndpoint(state, command.endpointId), at);
      case 'PauseEndpoint':
      case 'ResumeEndpoint':
        return pauseOrResume(command, knownEndpoint(state, command.endpointId), at);
      case 'DeleteEndpoint': {
        const { id: endpointId } = knownEndpoint(state, command.endpointId);
        return [{ type: 'EndpointDeleted', at, endpointId }];
      }
    }
  },
  evolve(state, event) {
    const { endpoints } = state;
    const { at, endpointId } = event;
    const replace = (change: (endpoint: Endpoint) => Endpoint) =>
      endpoints.map((endpoint) => (endpoint.id === endpointId ? change(endpoint) : endpoint));
    switch (event.type) {
      case 'EndpointRegistered':
        return {
          endpoints: [...endpoints, registered(event, state.registered)],
          registered: state.registered + 1,
          lastEventAt: at,
        };
      case 'EndpointUpdated':
        return {
          ...state,
          endpoints: replace((endpoint) => updated(endpoint, event)),
          lastEventAt: at,
        };
      case 'EndpointHeadersSealed': {
        const sealing = { sealedHeaders: event.sealedHeaders, plainHeaders: {} };
        return { ...state, endpoints: replace((endpoint) => ({ ...endpoint, ...sealing })), lastEventAt: at };
      }
      case 'EndpointSecretRotated':
        return { ...state, endpoints: replace((endpoint) => rotated(endpoint, event)), lastEventAt: at };
      case 'EndpointPaused':
      case 'EndpointResumed':
        return { ...state, endpoints: replace((endpoint) => pausedOrResumed(endpoint, event)), lastEventAt: at };
      case 'EndpointDeleted':
        return { ...state, endpoints: endpoints.filter(({ id }) => id !== endpointId), lastEventAt: at };
      default:
        return unchanged(state, event);
    }
  },
};

type Command<Type extends EndpointCommand['type']> = Extract<EndpointCommand, { type: Type }>;
type Event<Type extends EndpointEvent['type']> = Extract<EndpointEvent, { type: Type }>;

function register(command: Command<'RegisterEndpoint'>, state: Endpoints, at: number): EndpointEvent[] {
  const { endpointId, projectId, details, secret, secretHint } = command;
  if (endpointOf(state, endpointId)) return [];
  refuseBadFilters(details.filters);
  if (state.endpoints.length >= MAX_ENDPOINTS) {
    throw new DomainError('limit_exceeded', `A project has at most ${MAX_ENDPOINTS} webhook endpoints.`);
  }
  return [{ type: 'EndpointRegistered', at, endpointId, projectId, secret, secretHint, ...details }];
}

function update({ commandId, changes }: Command<'UpdateEndpoint'>, endpoint: Endpoint, at: number): EndpointEvent[] {
  if (endpoint.commandIds.includes(commandId)) return [];
  if (changes.filters) refuseBadFilters(changes.filters);
  const { sealedHeaders: asked, ...others } = changes;
  const sealedHeaders = headersAfter(endpoint, others.url, asked);
  const present = hasAny(endpoint.plainHeaders) ? { ...endpoint, sealedHeaders: null } : endpoint;
  const news = differing(present, sealedHeaders ? { ...others, sealedHeaders } : others);
  return hasAny(news) ? [{ type: 'EndpointUpdated', at, endpointId: endpoint.id, changes: news, commandId }] : [];
}

function disableGone(
  { endpointId, url, disablings }: Command<'DisableGoneEndpoint'>,
  state: Endpoints,
  at: number,
): EndpointEvent[] {
  const endpoint = endpointOf(state, endpointId);
  if (!endpoint?.disableOnGone || endpoint.status === 'disabled') return [];
  if (endpoint.url !== url || endpoint.disablings !== disablings) return [];
  return [{ type: 'EndpointUpdated', at, endpointId, changes: { status: 'disabled', disabledReason: 'gone' } }];
}

function seal(command: Command<'SealEndpointHeaders'>, state: Endpoints, at: number): EndpointEvent[] {
  const { endpointId, plainHeaders, sealedHeaders } = command;
  const endpoint = endpointOf(state, endpointId);
  if (!endpoint || !hasAny(endpoint.plainHeaders) || hasAny(differing(endpoint, { plainHeaders }))) return [];
  return [{ type: 'EndpointHeadersSealed', at, endpointId, sealedHeaders }];
}

function rotate(command: Command<'RotateEndpointSecret'>, endpoint: Endpoint, at: number): EndpointEvent[] {
  const { at: rotatedAt, rotationId, secret, secretHint, graceMs } = command;
  if (endpoint.rotations.some(({ id }) => id === rotationId)) return [];
  const grace = { rotatedAt, previousUntil: rotatedAt + graceMs };
  return [{ type: 'EndpointSecretRotated', at, endpointId: endpoint.id, rotationId, secret, secretHint, ...grace }];
}

function registered(event: Event<'EndpointRegistered'>, ordinal: number): Endpoint {
  const { at, endpointId: id, projectId, secret, secretHint, url, filters, description, metadata } = event;
  const { sealedHeaders = {}, headers: plainHeaders = {}, disableOnGone = false, rateLimitPerSecond = null } = event;
  return {
    id,
    projectId,
    ordinal,
    secret,
    secretHint,
    url,
    filters,
    description,
    sealedHeaders,
    plainHeaders,
    metadata,
    disableOnGone,
    rateLimitPerSecond,
    status: 'enabled',
    disabledReason: null,
    pausedAt: null,
    pausedReason: null,
    enabledAt: at,
    disablings: 0,
    secretRotatedAt: null,
    previousSecrets: [],
    commandIds: [],
    rotations: [],
    createdAt: at,
    updatedAt: at,
  };
}

function updated(endpoint: Endpoint, { at: updatedAt, changes, commandId }: Event<'EndpointUpdated'>): Endpoint {
  const { headers: _, ...others } = changes;
  const disablings = endpoint.disablings + (changes.status === 'disabled' ? 1 : 0);
  const disabledReason = changes.status === undefined ? endpoint.disabledReason : (changes.disabledReason ?? null);
  const commandIds = remembering(endpoint.commandIds, commandId);
  const status = changes.status ? statusSince(changes.status, updatedAt, endpoint) : {};
  return { ...endpoint, ...others, ...status, ...headersOf(changes), disablings, disabledReason, commandIds, updatedAt };
}

function headersOf({ headers, sealedHeaders }: Event<'EndpointUpdated'>['changes']) {
  if (sealedHeaders) return { sealedHeaders, plainHeaders: {} };
  return headers ? { sealedHeaders: {}, plainHeaders: headers } : {};
}

function rotated(endpoint: Endpoint, event: Event<'EndpointSecretRotated'>): Endpoint {
  const { at, rotatedAt = at, secret, secretHint, rotationId: id, previousUntil: until } = event;
  const earlier = endpoint.previousSecrets.filter((previous) => previous.until > rotatedAt);
  const previousSecrets =
    until > rotatedAt ? [{ secret: endpoint.secret, until }, ...earlier].slice(0, MAX_PREVIOUS_SECRETS) : [];
  const rotations = [{ id, secret }, ...endpoint.rotations].slice(0, MAX_ROTATIONS_KNOWN);
  return { ...endpoint, secret, secretHint, rotations, previousSecrets, secretRotatedAt: at, updatedAt: at };
}

function refuseBadFilters(filters: readonly string[]): void {
  const bad = filters.find((filter) => !isEventFilter(filter));
  if (bad === undefined) return;
  throw new DomainError('event_filter_invalid', 'An event filter is *, a kind of event, or a prefix and .*', {
    param: 'event_filters',
  });
}
