import { shortName } from '../short-name.js';
import { failureMeaning } from './failure-meaning.js';
import { PositionUnusable } from './position.js';

const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** The driver's message when no node of the cluster leads. */
const NO_LEADER = /^Failed to discover/;

/**
 * A failed call that needs this permission, in words for an operator.
 * @param reason added unless the words name the cause
 */
export function failureText(failure: unknown, username: string, right: string, reason = shortName(failure)): string {
  if (failure instanceof Error && NO_LEADER.test(failure.message)) return 'has no leader';
  if (failure instanceof PositionUnusable) return `has an event that no feed can pass: ${failure.message}`;
  if (failureMeaning(failure) !== 'refused') return `does not answer: ${reason}`;
  const { code } = failure as { readonly code?: unknown };
  if (code === UNAUTHENTICATED) return `refuses the user ${username}: wrong name or password`;
  if (code === PERMISSION_DENIED) return `refuses: the user ${username} may not ${right}`;
  return `refuses: ${reason}`;
}
