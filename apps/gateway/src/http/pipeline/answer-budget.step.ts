import { policyOf } from '../routes/route-policy.js';
import { tooManyLongAnswers } from './answer-budget.js';
import type { Step } from './step.js';

/**
 * Waits until the project's answers leave room for one more. Stands before the claim of the key: the answer of a replay is
 * as long as the first. Reads and writes have budgets of their own, so that reads do not keep writes waiting.
 */
export const reserveAnswer: Step = (request, _reply, { answerBudget }) => {
  const { caller } = request.state;
  const policy = policyOf(request);
  if (!caller || policy?.access !== 'project') return undefined;
  const use = policy.rate === 'read' ? 'read' : 'write';
  let isRefused = false;
  let isStarted = false;
  let goOn = (): void => undefined;
  const kind = policy.pages ? 'page' : 'single';
  const isAccepted = answerBudget.enter(`${caller.projectId} ${use}`, kind, caller.rateLimits[use], (slot) => {
    request.state.answerSlot = slot;
    // The client disconnected while queued: skip the read. A write is carried out all the same.
    isRefused = use === 'read' && request.raw.socket.destroyed;
    isStarted = true;
    goOn();
  });
  if (!isAccepted) throw tooManyLongAnswers();
  const settled = () => {
    if (isRefused) throw tooManyLongAnswers();
  };
  if (isStarted) return settled();
  return new Promise<void>((resolve) => (goOn = resolve)).then(settled);
};
