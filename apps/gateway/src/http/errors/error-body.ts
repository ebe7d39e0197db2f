import { HttpException } from '@nestjs/common';
import { DomainError, type ErrorCode, type ErrorExtras } from '@domain/kernel/domain-error';
import { isRetryableStoreError } from '@ports/event-store.port';
import type { ErrorType } from './catalogue-entry.js';
import { catalogueEntry } from './error-catalogue.js';

const RETRY_STORE_AFTER_SECONDS = 1;

export interface FailedParameter {
  readonly code: ErrorCode;
  readonly message: string;
  /** Absent where the name is not valid text or too long to repeat. */
  readonly param?: string;
}

/** The error has the code and message of the first failed parameter. */
export class ParametersRefused extends DomainError {
  constructor(readonly failed: readonly [FailedParameter, ...FailedParameter[]]) {
    const [{ code, message, param }] = failed;
    super(code, message, param === undefined ? {} : { param });
  }
}

export interface ErrorBody {
  readonly error: {
    readonly type: ErrorType;
    readonly code: ErrorCode;
    readonly message: string;
    readonly param?: string;
    readonly request_id: string;
    readonly errors?: readonly FailedParameter[];
    readonly doc_url: string;
  } & ErrorExtras;
}

/** An unexpected error becomes `internal_error` without details. */
export function refusalOf(thrown: unknown): DomainError {
  if (thrown instanceof DomainError) return thrown;
  if (thrown instanceof HttpException) return ofStatus(thrown.getStatus());
  if (isRetryableStoreError(thrown)) {
    const message = 'The store does not answer. Try again.';
    return new DomainError('service_unavailable', message, { retryAfter: RETRY_STORE_AFTER_SECONDS });
  }
  const { name, statusCode } = (thrown ?? {}) as Readonly<Record<'name' | 'statusCode', unknown>>;
  if (name === 'FastifyError' && typeof statusCode === 'number') return ofStatus(statusCode);
  return new DomainError('internal_error', 'Something went wrong on our side.');
}

function ofStatus(status: number): DomainError {
  switch (status) {
    case 400:
      return new DomainError('json_invalid', 'The body could not be read.');
    case 404:
    case 414:
      return new DomainError('route_not_found', 'No such endpoint.');
    case 415:
      return new DomainError('content_type_unsupported', 'Send the body as application/json in UTF-8.');
    default:
      return new DomainError('internal_error', 'Something went wrong on our side.');
  }
}

/** It has `errors` only where several parameters failed. */
export function errorBody(refusal: DomainError, requestId: string): ErrorBody {
  const { code, message, details } = refusal;
  const { param, extras } = details;
  const failed = refusal instanceof ParametersRefused && refusal.failed.length > 1 ? { errors: refusal.failed } : {};
  return {
    error: {
      type: catalogueEntry(code).type,
      code,
      message,
      ...(param === undefined ? {} : { param }),
      request_id: requestId,
      ...extras,
      ...failed,
      doc_url: `/docs/errors#${code}`,
    },
  };
}

/** Headers specific to error answers. `doubles`: a retry might execute the request twice. */
export function errorHeaders({ code, details }: DomainError, doubles = false): Readonly<Record<string, string>> {
  const { retry } = catalogueEntry(code);
  return {
    'service-should-retry': String(retry === 'always' || (retry === 'once' && !doubles)),
    ...(details.retryAfter === undefined ? {} : { 'retry-after': String(details.retryAfter) }),
    ...(code.startsWith('api_key') ? { 'www-authenticate': 'Bearer' } : {}),
  };
}
