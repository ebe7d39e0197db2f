import { MAX_WRONG_LOGINS } from '@domain/admin/wrong-logins';
import type { CatalogueEntry } from './catalogue-entry.js';

export const ADMIN_ERRORS = {
  admin_password_invalid: {
    status: 401,
    type: 'authentication_error',
    cause: 'The admin password is wrong.',
    cure: `Try again; ${MAX_WRONG_LOGINS} wrong passwords lock the login for a while.`,
  },
  admin_session_invalid: {
    status: 401,
    type: 'authentication_error',
    cause: 'There is no admin session, or it has ended.',
    cure: 'Log in again.',
  },
  csrf_token_invalid: {
    status: 403,
    type: 'permission_error',
    cause: 'The request came with the session cookie but without its CSRF token, or from a page of another origin.',
    cure: 'Send the token in `X-CSRF-Token` from a page of this host, or the session as a bearer token.',
  },
  history_unavailable: {
    status: 404,
    type: 'invalid_request_error',
    cause:
      'The row has no history here: too many streams make such a row, or some of its events were dropped when their time was over.',
    cure: 'Read the events in the log, as far as they are there.',
  },
  backup_refused: {
    status: 409,
    type: 'invalid_request_error',
    cause:
      'No backup can be made into the folder, which is not empty, not writable or on a disk with too little room, or by this engine at all.',
    cure: 'Do what the message says: name another folder, or on the cluster use the tools of EventStoreDB.',
  },
  backup_failed: {
    status: 500,
    type: 'api_error',
    retry: 'always',
    cause: 'A backup could not be finished, for example because the disk was full. Nothing of it was left behind.',
    cure: 'Remove the cause that the message names, then ask again.',
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
