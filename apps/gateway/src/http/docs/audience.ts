import { RequestMethod } from '@nestjs/common';
import { ApiBearerAuth, ApiSecurity } from '@nestjs/swagger';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { Scope } from '@domain/project/scope';
import type { HeaderName } from './answer-headers.js';

/** The interfaces, each with a document of its own. */
export type DocumentName = 'client' | 'admin';

/** Clients or administrators: their document, how they authenticate, and the responses that all of their operations have. */
export interface Audience {
  readonly document: DocumentName;
  secured(method: RequestMethod): readonly MethodDecorator[];
  errors(method: RequestMethod): readonly ErrorCode[];
  /** What the description of an operation ends with; null for nothing. */
  needs(scope: Scope | undefined): string | null;
  /** Headers of answers after those that every answer has. */
  readonly headers: readonly HeaderName[];
}

const ALWAYS: readonly ErrorCode[] = ['internal_error', 'service_unavailable'];
const KEYS: readonly ErrorCode[] = ['api_key_missing', 'api_key_invalid', 'api_key_expired', 'api_key_revoked'];
const LIMITED: readonly HeaderName[] = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** Bodies of administrators share what is kept free for requests without a project. */
const budgetOf = (method: RequestMethod): readonly ErrorCode[] => (method === RequestMethod.GET ? [] : ['rate_limit_exceeded']);

export const CLIENTS: Audience = {
  document: 'client',
  secured: () => [ApiBearerAuth('api_key')],
  errors: () => ['request_too_large', ...KEYS, 'insufficient_scope', 'rate_limit_exceeded', ...ALWAYS],
  needs: (scope) => `Needs an API key with the scope \`${scope}\`.`,
  headers: [...LIMITED, 'Service-Warning'],
};

export const ADMINS: Audience = {
  document: 'admin',
  secured: (method) => [
    ApiSecurity(method === RequestMethod.GET ? { session_cookie: [] } : { session_cookie: [], csrf_token: [] }),
    ApiSecurity({ session_token: [] }),
  ],
  errors: (method) => [
    'request_too_large',
    'admin_session_invalid',
    ...(method === RequestMethod.GET ? [] : (['csrf_token_invalid'] as const)),
    ...budgetOf(method),
    ...ALWAYS,
  ],
  needs: () => null,
  headers: ['Service-Warning'],
};

/** Those who have no session yet. */
export const VISITORS: Audience = {
  document: 'admin',
  secured: () => [],
  errors: (method) => ['request_too_large', ...budgetOf(method), ...ALWAYS],
  needs: () => null,
  headers: ['Service-Warning'],
};
