import { failureReason } from '@ports/failure';
import { failureMeaning } from './failure-meaning.js';

/** Status codes of gRPC. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** What the server does where a call failed that needs this right, in words for an operator. */
export function toldFailure(failure: unknown, username: string, right: string): string {
  if (failureMeaning(failure) !== 'refused') return `does not answer: ${failureReason(failure)}`;
  const { code } = failure as { readonly code?: unknown };
  if (code === UNAUTHENTICATED) return `refuses the user ${username}: the name or the password is wrong`;
  if (code === PERMISSION_DENIED) return `refuses: the user ${username} may not ${right}`;
  return `refuses: ${failureReason(failure)}`;
}
