import { setTimeout as sleep } from 'node:timers/promises';
import { ANY, NO_STREAM, STREAM_EXISTS } from './append-rules.mjs';
import { FAILURES } from './failures.mjs';
import { appended, proposed, streamName, tombstoned, wrongExpectedVersion } from './wire.mjs';

/** The most bytes of one append, data and metadata and type, on servers up to 24. */
const MAX_APPEND_BYTES = 1_048_576;
/** How late a server with default settings says that it did not commit in time. */
const COMMIT_TIMEOUT_MS = 2_000;

const sizeOf = ({ type, data, metadata }) => data.length + metadata.length + type.length * 2;

function expectedOf(options) {
  if (options.hasAny()) return ANY;
  if (options.hasNoStream()) return NO_STREAM;
  return options.hasStreamExists() ? STREAM_EXISTS : Number(options.getRevision());
}

/** Answers `Append`: one message with the options, then one for each event. */
export function appendCall({ log, behaviours, misbehaviour }) {
  return (call, answer) => {
    const parts = { options: undefined, events: [] };
    call.on('data', (request) => {
      if (request.hasOptions()) parts.options = request.getOptions();
      else parts.events.push(proposed(request.getProposedMessage()));
    });
    call.on('error', () => undefined);
    call.on('end', async () => {
      // The library ends a call whose caller is gone like any other, and says a moment later that it is cancelled.
      if (behaviours.has('an append whose end has not come writes nothing')) await sleep(0);
      if (!parts.options || call.cancelled) return;
      append({ log, behaviours, plan: misbehaviour.next('append') }, parts, answer).catch((error) => answer(error));
    });
  };
}

async function append({ log, behaviours, plan }, { options, events }, answer) {
  const name = streamName(options.getStreamIdentifier());
  const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
  if (bytes > MAX_APPEND_BYTES && behaviours.has('a large append is refused')) {
    return answer(FAILURES.tooLarge(MAX_APPEND_BYTES));
  }
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

/** The failure of an append that writes nothing; null when there is no answer at all. */
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

/** The failure of an append that was written; null when there is no answer at all. */
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

/** Answers `Tombstone`, of any expected revision. */
export function tombstoneCall({ log }) {
  return (call, answer) => {
    const name = streamName(call.request.getOptions().getStreamIdentifier());
    log.tombstone(name).then(
      (isNew) => (isNew ? answer(null, tombstoned(log.all.at(-1).position)) : answer(FAILURES.streamDeleted(name))),
      (error) => answer(error),
    );
  };
}
