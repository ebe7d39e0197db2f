import type { Scope } from './scope.js';

export interface ProjectChanges {
  readonly name?: string;
  readonly replyWindowMs?: number | null;
  readonly instructions?: string | null;
  /** What a reply that hands over ends with; null for nothing. */
  readonly handoffReply?: string | null;
  /** IANA name; null for UTC. */
  readonly timeZone?: string | null;
  readonly rateLimits?: OwnRateLimits;
}

/** Requests per second; 0 for no limit, null for the operator's. */
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

/** What is stored of a secret: enough to recognize it, not to use it. */
export interface SecretFingerprint {
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
export type ApiKeyCreated = Fact<'ApiKeyCreated'> & ApiKeyTerms & SecretFingerprint;
type ApiKeyUpdated = Fact<'ApiKeyUpdated'> & {
  readonly keyId: string;
  readonly changes: ApiKeyChanges;
  readonly commandId?: string;
};
/** The old key stays valid until `expiresAt`. */
type ApiKeyRotated = Fact<'ApiKeyRotated'> & {
  readonly keyId: string;
  readonly successorId: string;
  readonly expiresAt: number;
};
/** A retry of the creation replaced the secret, which had not been handed out. */
type ApiKeySecretReplaced = Fact<'ApiKeySecretReplaced'> & { readonly keyId: string } & SecretFingerprint;
type ApiKeyRevoked = Fact<'ApiKeyRevoked'> & { readonly keyId: string };

export type ProjectEvent =
  ProjectCreated | ProjectUpdated | ApiKeyCreated | ApiKeyUpdated | ApiKeyRotated | ApiKeySecretReplaced | ApiKeyRevoked;
