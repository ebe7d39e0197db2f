import { remembering, type CommandIds } from '../kernel/command-ids.js';
import { type Decider, unchanged } from '../kernel/decider.js';
import { differing, hasAny } from '../kernel/differing.js';
import { resourceMissing } from '../kernel/domain-error.js';
import {
  createdKey,
  knownKey,
  livingKey,
  refuseOneInGraceTooMany,
  refuseOneTooMany,
  statusOf,
  unrevokedKey,
  type ApiKey,
} from './api-key.js';
import type {
  ApiKeyChanges,
  ApiKeyTerms,
  OwnRateLimits,
  ProjectChanges,
  ProjectEvent,
  SecretFingerprint,
} from './project.events.js';

export interface Project {
  readonly exists: boolean;
  readonly id: string;
  readonly name: string;
  /** Null: the operator's setting. */
  readonly replyWindowMs: number | null;
  readonly instructions: string | null;
  /** What a reply that hands over ends with; null for nothing. */
  readonly handoffReply: string | null;
  /** IANA name; null for UTC. */
  readonly timeZone: string | null;
  readonly rateLimits: OwnRateLimits;
  readonly keys: readonly ApiKey[];
  readonly commandIds: CommandIds;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly lastEventAt: number;
}

export type ProjectCommand =
  | { readonly type: 'CreateProject'; readonly at: number; readonly projectId: string; readonly name: string }
  | { readonly type: 'UpdateProject'; readonly at: number; readonly commandId: string; readonly changes: ProjectChanges }
  /** Issuing a key again under another secret replaces the secret, which was never handed out. */
  | { readonly type: 'IssueApiKey'; readonly at: number; readonly terms: ApiKeyTerms; readonly fingerprint: SecretFingerprint }
  | {
      readonly type: 'UpdateApiKey';
      readonly at: number;
      readonly commandId: string;
      readonly keyId: string;
      readonly changes: ApiKeyChanges;
    }
  | {
      readonly type: 'RotateApiKey';
      readonly at: number;
      readonly keyId: string;
      readonly graceMs: number;
      readonly successorId: string;
      readonly fingerprint: SecretFingerprint;
    }
  | { readonly type: 'RevokeApiKey'; readonly at: number; readonly keyId: string };

const UNKNOWN: Project = {
  exists: false,
  id: '',
  name: '',
  replyWindowMs: null,
  instructions: null,
  handoffReply: null,
  timeZone: null,
  rateLimits: {},
  keys: [],
  commandIds: [],
  createdAt: 0,
  updatedAt: 0,
  lastEventAt: 0,
};

export const projectDecider: Decider<Project, ProjectCommand, ProjectEvent> = {
  initial: UNKNOWN,
  decide(command, project) {
    const at = Math.max(command.at, project.lastEventAt);
    if (command.type === 'CreateProject') return project.exists ? [] : [{ ...command, type: 'ProjectCreated', at }];
    if (!project.exists) throw resourceMissing('project');
    switch (command.type) {
      case 'UpdateProject':
        return update(project, command, at);
      case 'IssueApiKey':
        return issueKey(project, command.terms, command.fingerprint, at);
      case 'UpdateApiKey':
        return updateKey(project, command, at);
      case 'RotateApiKey':
        return rotateKey(project, command, at);
      case 'RevokeApiKey':
        return knownKey(project.keys, command.keyId).revokedAt === null
          ? [{ type: 'ApiKeyRevoked', at, keyId: command.keyId }]
          : [];
    }
  },
  evolve(before, event) {
    const project = { ...before, lastEventAt: event.at };
    switch (event.type) {
      case 'ProjectCreated': {
        const { projectId: id, name, at } = event;
        return { ...project, exists: true, id, name, createdAt: at, updatedAt: at };
      }
      case 'ProjectUpdated': {
        const rateLimits = { ...project.rateLimits, ...event.changes.rateLimits };
        const commandIds = remembering(project.commandIds, event.commandId);
        return { ...project, ...event.changes, rateLimits, commandIds, updatedAt: event.at };
      }
      case 'ApiKeyCreated':
        return { ...project, keys: [...project.keys, createdKey(event)] };
      case 'ApiKeyUpdated': {
        const { keyId, changes } = event;
        const { expiresAt: ownExpiresAt } = changes;
        const after = { ...project, commandIds: remembering(project.commandIds, event.commandId) };
        return withKey(after, keyId, ownExpiresAt === undefined ? changes : { ...changes, ownExpiresAt, successorId: null });
      }
      case 'ApiKeyRotated':
        return withKey(project, event.keyId, { expiresAt: event.expiresAt, successorId: event.successorId });
      case 'ApiKeySecretReplaced':
        return withKey(project, event.keyId, { secretHash: event.secretHash, prefix: event.prefix });
      case 'ApiKeyRevoked':
        return withKey(project, event.keyId, { revokedAt: event.at });
      default:
        return unchanged(before, event);
    }
  },
};

type Command<Type extends ProjectCommand['type']> = Extract<ProjectCommand, { type: Type }>;

function withKey(project: Project, keyId: string, changes: Partial<ApiKey>): Project {
  const index = project.keys.findLastIndex(({ id }) => id === keyId);
  const key = project.keys[index];
  return key ? { ...project, keys: project.keys.with(index, { ...key, ...changes }) } : project;
}

function update(project: Project, { commandId, changes: wanted }: Command<'UpdateProject'>, at: number): ProjectEvent[] {
  if (project.commandIds.includes(commandId)) return [];
  const { rateLimits = {}, ...rest } = wanted;
  const limits = differing(project.rateLimits, rateLimits);
  const changes = { ...differing(project, rest), ...(hasAny(limits) && { rateLimits: limits }) };
  return hasAny(changes) ? [{ type: 'ProjectUpdated', at, changes, commandId }] : [];
}

function issueKey({ keys }: Project, terms: ApiKeyTerms, fingerprint: SecretFingerprint, at: number): ProjectEvent[] {
  const known = keys.find(({ id }) => id === terms.keyId);
  if (known) return replaceSecret(known, fingerprint, at);
  refuseOneTooMany(keys, at);
  return [{ type: 'ApiKeyCreated', at, ...terms, ...fingerprint }];
}

function replaceSecret(key: ApiKey, { secretHash, prefix }: SecretFingerprint, at: number): ProjectEvent[] {
  if (key.secretHash === secretHash) return [];
  return [{ type: 'ApiKeySecretReplaced', at, keyId: key.id, secretHash, prefix }];
}

function updateKey({ keys, commandIds }: Project, command: Command<'UpdateApiKey'>, at: number): ProjectEvent[] {
  const { keyId, commandId } = command;
  const key = unrevokedKey(keys, keyId);
  const changes = differing(key, command.changes);
  if (!hasAny(changes) || commandIds.includes(commandId)) return [];
  const comesBack = changes.expiresAt !== undefined && statusOf({ ...key, ...changes }, at) === 'active';
  if (comesBack) {
    const others = keys.filter((other) => other !== key);
    refuseOneTooMany(others, at);
  }
  return [{ type: 'ApiKeyUpdated', at, keyId, changes, commandId }];
}

/**
 * The successor inherits name, scopes and expiry. The first takes the old key's place in the limit of live keys; a further rotation needs a
 * free place. Expiry is judged by `command.at`, as in authentication: the stream's time may be ahead of the clock.
 */
function rotateKey({ keys }: Project, command: Command<'RotateApiKey'>, at: number): ProjectEvent[] {
  const { at: now, keyId, successorId, fingerprint, graceMs } = command;
  const successor = keys.find(({ id }) => id === successorId);
  if (successor) return replaceSecret(successor, fingerprint, at);
  const key = livingKey(keys, keyId, now);
  if (key.successorId !== null) refuseOneTooMany(keys, now);
  else if (graceMs > 0) refuseOneInGraceTooMany(keys, now);
  const { name, scopes, ownExpiresAt } = key;
  const terms = { keyId: successorId, name, scopes, expiresAt: ownExpiresAt };
  const expiresAt = Math.min(key.expiresAt ?? Infinity, now + graceMs);
  return [
    { type: 'ApiKeyCreated', at, ...terms, ...fingerprint },
    { type: 'ApiKeyRotated', at, keyId, successorId, expiresAt },
  ];
}
