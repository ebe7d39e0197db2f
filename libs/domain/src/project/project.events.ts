import type { Scope } from './scope.js';

/** A project's own settings; absent ones follow the operator's. */
export interface ProjectChanges {
  readonly name?: string;
  readonly replyWindowMs?: number | null;
  readonly instructions?: string | null;
  /** IANA name; null is UTC. */
  readonly timeZone?: string | null;
  readonly rateLimits?: OwnRateLimits;
}

/** Requests per second; 0 sets no limit, null follows the operator's. */
export interface OwnRateLimits {
  readonly read?: number | null;
  readonly write?: number | null;
  readonly messages?: number | null;
}

export interface ApiKeyChanges {
  readonly name?: string;
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: number | null;
}

/** The stored trace of a key's secret: enough to recognise it, not to use it. */
export interface SecretTrace {
  readonly secretHash: string;
  readonly prefix: string;
}

export interface ApiKeyTerms {
  readonly keyId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
}

interface Fact<Type extends string> {
  readonly type: Type;
  readonly at: number;
}

type ProjectCreated = Fact<'ProjectCreated'> & { readonly projectId: string; readonly name: string };
type ProjectUpdated = Fact<'ProjectUpdated'> & { readonly changes: ProjectChanges; readonly commandId?: string };
export type ApiKeyCreated = Fact<'ApiKeyCreated'> & ApiKeyTerms & SecretTrace;
type ApiKeyUpdated = Fact<'ApiKeyUpdated'> & {
  readonly keyId: string;
  readonly changes: ApiKeyChanges;
  readonly commandId?: string;
};
/** A successor replaced the old key, which stays valid until `expiresAt`. */
type ApiKeyRotated = Fact<'ApiKeyRotated'> & {
  readonly keyId: string;
  readonly successorId: string;
  readonly expiresAt: number;
};
/** A retry of the request that created a key replaced its secret, which had not been handed out. */
type ApiKeySecretReplaced = Fact<'ApiKeySecretReplaced'> & { readonly keyId: string } & SecretTrace;
type ApiKeyRevoked = Fact<'ApiKeyRevoked'> & { readonly keyId: string };

export type ProjectEvent =
  ProjectCreated | ProjectUpdated | ApiKeyCreated | ApiKeyUpdated | ApiKeyRotated | ApiKeySecretReplaced | ApiKeyRevoked;
