import { remembering } from '../kernel/command-ids.js';
import { endpointDisabled, type Endpoint } from './endpoint.js';
import type { EndpointEvent, GivenStatus, PauseReason } from './endpoint.events.js';

interface AboutOne {
  readonly at: number;
  readonly endpointId: string;
  readonly commandId: string;
}

export type PauseCommand =
  | (AboutOne & { readonly type: 'PauseEndpoint'; readonly reason: PauseReason })
  | (AboutOne & { readonly type: 'ResumeEndpoint' });

type PauseEvent = Extract<EndpointEvent, { readonly type: 'EndpointPaused' | 'EndpointResumed' }>;

/** Repeats change nothing, nor does a command that comes again after another one. */
export function pauseOrResume(command: PauseCommand, endpoint: Endpoint, at: number): EndpointEvent[] {
  const { id: endpointId, status, commandIds } = endpoint;
  const { commandId } = command;
  if (commandIds.includes(commandId)) return [];
  if (status === 'disabled') throw endpointDisabled();
  if (command.type === 'ResumeEndpoint')
    return status === 'enabled' ? [] : [{ type: 'EndpointResumed', at, endpointId, commandId }];
  return status === 'paused' ? [] : [{ type: 'EndpointPaused', at, endpointId, reason: command.reason, commandId }];
}

export function pausedOrResumed(endpoint: Endpoint, event: PauseEvent): Endpoint {
  const { at: updatedAt, commandId } = event;
  const common = { commandIds: remembering(endpoint.commandIds, commandId), updatedAt };
  if (event.type === 'EndpointResumed') return { ...endpoint, ...statusSince('enabled', updatedAt, endpoint), ...common };
  return { ...endpoint, status: 'paused', pausedAt: updatedAt, pausedReason: event.reason, ...common };
}

export function statusSince(
  status: GivenStatus,
  at: number,
  { enabledAt }: Endpoint,
): Pick<Endpoint, 'status' | 'pausedAt' | 'pausedReason' | 'enabledAt'> {
  return { status, pausedAt: null, pausedReason: null, enabledAt: status === 'enabled' ? at : enabledAt };
}
