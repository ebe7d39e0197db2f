import { shortName } from '../short-name.js';
import { failureMeaning } from './failure-meaning.js';
import { PositionUnusable } from './position.js';

/** Status codes of gRPC. */
const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** What the driver says where it asked the nodes of a cluster in vain which of them leads. */
const NO_LEADER = /^Failed to discover/;

/**
 * What the server does where a call failed that needs this right, in words for an operator.
 * @param reason why, where the words do not say it
 */
export function toldFailure(failure: unknown, username: string, right: string, reason = shortName(failure)): string {
  if (failure instanceof Error && NO_LEADER.test(failure.message)) return 'has no node that leads';
  if (failure instanceof PositionUnusable) return `has an event that no feed can pass: ${failure.message}`;
  if (failureMeaning(failure) !== 'refused') return `does not answer: ${reason}`;
  const { code } = failure as { readonly code?: unknown };
  if (code === UNAUTHENTICATED) return `refuses the user ${username}: the name or the password is wrong`;
  if (code === PERMISSION_DENIED) return `refuses: the user ${username} may not ${right}`;
  return `refuses: ${reason}`;
}
