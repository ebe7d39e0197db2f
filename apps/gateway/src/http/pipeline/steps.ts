import { authenticate, authenticateAgain } from './authentication.step.js';
import { claimKey } from './idempotency.step.js';
import {
  authorize,
  findProject,
  findRoute,
  judgeHead,
  keepPlace,
  nameRequest,
  refuseByHead,
  requireHost,
  reserveAnswer,
  settleRateClass,
  takePlace,
  validate,
  warnOfUnknown,
} from './request.step.js';
import type { Step } from './step.js';

/* The order is part of the contract: the first failing step wins. After the handler, `ResponseHooks` takes over. */

/** Before the body is read: a refusal here costs the client no upload. */
export const BEFORE_BODY: readonly Step[] = [
  nameRequest, // Request-Id
  requireHost, // 400 parameter_missing, parameter_invalid
  authenticate, // 401
  findRoute, // 404, 405
  judgeHead, // what `refuseByHead` throws
  takePlace, // what `keepPlace` throws
];

// Between the two Fastify reads the body: 415, 413, 400 json_invalid, 429 (`body/json-body.ts`).

/** With the body, in the contract's order. */
export const BEFORE_HANDLER: readonly Step[] = [
  authenticateAgain, // 401, where the body took long to arrive
  refuseByHead, // 400 idempotency_key_invalid, 403, 429
  authorize, // 403, where the key lost its scope while the body arrived
  keepPlace, // 429
  warnOfUnknown, // Service-Warning
  validate, // 400
  settleRateClass, // 429, where the body is of another class than its route
  findProject, // 404, where an administrator's path names it
  reserveAnswer, // 429
  claimKey, // 409, or the answer kept under the key
];
