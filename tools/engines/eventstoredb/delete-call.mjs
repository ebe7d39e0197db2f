import { ANY, NO_STREAM, STREAM_EXISTS } from './append-rules.mjs';
import { FAILURES } from './failures.mjs';
import { expectedOf, softDeleted, streamName, tombstoned } from './wire.mjs';

const NUMBERS = { [ANY]: -2, [NO_STREAM]: -1, [STREAM_EXISTS]: -4 };

/** `Delete`: the stream reads as empty, and later events continue its revisions. */
export const deleteCall = ({ log }) => answering((name, expected) => log.delete(name, expected), softDeleted, log);

/** `Tombstone`: the stream is gone for good. */
export const tombstoneCall = ({ log }) => answering((name, expected) => log.tombstone(name, expected), tombstoned, log);

function answering(work, success, log) {
  return (call, answer) => {
    const options = call.request.getOptions();
    const [name, expected] = [streamName(options.getStreamIdentifier()), expectedOf(options)];
    const settle = ({ kind, position }) => {
      if (kind === 'appended') return answer(null, success(position));
      if (kind === 'deleted') return answer(FAILURES.streamDeleted(name));
      return answer(FAILURES.wrongExpectedVersion(name, NUMBERS[expected] ?? expected, log.lastRevision(name)));
    };
    work(name, expected).then(settle, answer);
  };
}
