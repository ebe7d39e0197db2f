import { Metadata, status } from '@grpc/grpc-js';

/** The trailer `exception` selects the client's error class, then the code. */
function failure(code, details, trailers = {}) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(trailers)) metadata.set(name, String(value));
  return Object.assign(new Error(details), { code, details, metadata });
}

export const FAILURES = {
  unavailable: () => failure(status.UNAVAILABLE, 'Server Is Not Ready'),
  cancelled: () => failure(status.CANCELLED, 'cancelled by the server'),
  timeout: () => failure(status.ABORTED, 'Commit timeout'),
  accessDenied: () => failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  unauthenticated: () => failure(status.UNAUTHENTICATED, 'Unauthenticated'),
  streamDeleted: (name) =>
    failure(status.FAILED_PRECONDITION, `Event stream '${name}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': name,
    }),
  /** For deletions; for an append it is a message, see `wire.mjs`. */
  wrongExpectedVersion: (name, expected, actual) =>
    failure(status.FAILED_PRECONDITION, `WrongExpectedVersion, stream '${name}'`, {
      exception: 'wrong-expected-version',
      'stream-name': name,
      'expected-version': expected,
      'actual-version': actual,
    }),
  tooLarge: (most) =>
    failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${most} Exceeded.`, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': most,
    }),
  /** Since 25; the client has no class for it. */
  eventTooLarge: (id, bytes, most) =>
    failure(status.INVALID_ARGUMENT, `Event with Id: ${id}, Size: ${bytes}, exceeds Maximum Append Event Size of ${most}.`, {
      exception: 'maximum-append-event-size-exceeded',
    }),
  notLeader: ({ host, port }) =>
    failure(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': host,
      'leader-endpoint-port': port,
    }),
};
