import { setTimeout as sleep } from 'node:timers/promises';
import { FAILURES } from './failures.mjs';
import { appended, expectedOf, proposed, streamName, wrongExpectedVersion } from './wire.mjs';

/** When a server with default settings reports that it did not commit in time. */
const COMMIT_TIMEOUT_MS = 2_000;

const sizeOf = ({ type, data, metadata }) => data.length + metadata.length + type.length * 2;

/** `Append`: one message with options, then one per event. */
export function appendCall({ log, behaviours, misbehaviour, limits }) {
  return (call, answer) => {
    const parts = { options: undefined, events: [] };
    call.on('data', (request) => {
      if (request.hasOptions()) parts.options = request.getOptions();
      else parts.events.push(proposed(request.getProposedMessage()));
    });
    call.on('error', () => undefined);
    call.on('end', async () => {
      // The library ends a cancelled call like any other, and reports the cancellation a moment later.
      if (behaviours.has('an append whose end has not come writes nothing')) await sleep(0);
      if (!parts.options || call.cancelled) return;
      append({ log, behaviours, limits, plan: misbehaviour.next('append') }, parts, answer).catch((error) => answer(error));
    });
  };
}

function tooLarge(events, { maxEventBytes = Infinity, maxAppendBytes }) {
  const sizes = events.map(sizeOf);
  const large = sizes.findIndex((bytes) => bytes > maxEventBytes);
  if (large !== -1) return FAILURES.eventTooLarge(events[large].id, sizes[large], maxEventBytes);
  const bytes = sizes.reduce((sum, each) => sum + each, 0);
  return bytes > maxAppendBytes ? FAILURES.tooLarge(maxAppendBytes) : undefined;
}

async function append({ log, behaviours, limits, plan }, { options, events }, answer) {
  const name = streamName(options.getStreamIdentifier());
  const large = behaviours.has('a large append is refused') ? tooLarge(events, limits) : undefined;
  if (large !== undefined) return answer(large);
  if (plan?.kind === 'delay') await sleep(plan.ms);
  const early = failureBefore(plan, name);
  if (early !== undefined) return early && answer(early);
  const outcome = await log.append(name, expectedOf(options), events);
  const late = await failureAfter(plan);
  if (late !== undefined) return late && answer(late);
  if (outcome.kind === 'silent') return;
  if (outcome.kind === 'deleted') return answer(FAILURES.streamDeleted(name));
  if (outcome.kind === 'wrong') return answer(null, wrongExpectedVersion(log.lastRevision(name), options));
  const isOne = behaviours.has('commit and prepare position are one');
  answer(null, appended(outcome, isOne ? outcome.position : outcome.position - 1n));
}

/** If nothing is written; null for no answer at all. */
function failureBefore(plan, name) {
  switch (plan?.kind) {
    case 'silent':
      return null;
    case 'unavailable':
    case 'timeout':
    case 'accessDenied':
      return FAILURES[plan.kind]();
    case 'notLeader':
      return FAILURES.notLeader(plan);
    case 'streamDeleted':
      return FAILURES.streamDeleted(name);
    default:
      return undefined;
  }
}

/** If the append was written; null for no answer at all. */
async function failureAfter(plan) {
  switch (plan?.kind) {
    case 'commit, then silent':
      return null;
    case 'commit, then unavailable':
      return FAILURES.unavailable();
    case 'commit, then timeout':
      await sleep(plan.ms ?? COMMIT_TIMEOUT_MS);
      return FAILURES.timeout();
    default:
      return undefined;
  }
}
