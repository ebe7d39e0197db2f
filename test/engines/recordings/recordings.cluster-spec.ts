import { EventStoreDouble } from '@testing/event-store-double';
import { type Limits, LIMITS } from '../../../tools/engines/eventstoredb/limits.mjs';
import { type Recorded, recordingOf, type Told } from './recorded.js';
import { Replay } from './replay.js';

const SERVERS = [
  ['eventstoredb-23.10.6', LIMITS['22.10']],
  ['kurrentdb-26.1.0', LIMITS['26']],
] as const;
/** What the recordings show of the double's switches, with a call that shows it. */
const SHOWN = [
  ['a missing stream has no revision', 6],
  ['the expected revision is checked', 11],
  ['a batch that is stored at its revision gets its first answer', 28],
  ['a batch that is stored anywhere gets its first answer where any revision will do', 29],
  ['a stream keeps as many events as its metadata says', 75],
  ['a deleted stream leaves an event with the highest revision', 114],
] as const;

async function replayed(recorded: readonly Recorded[], limits: Limits, off: readonly string[] = []): Promise<readonly unknown[]> {
  const double = await EventStoreDouble.start(off, { limits });
  const replay = new Replay(double.url);
  try {
    return await replay.run(recorded);
  } finally {
    await replay.close();
    await double.end();
  }
}

/** An answer without what hangs on timing: when a subscription says that it has caught up, and checkpoints where none came. */
function withoutTiming({ call, answer: recorded }: Recorded, answer: unknown): unknown {
  if (call.op !== 'subscribe') return answer;
  const { told, checkpoints } = answer as Told;
  const events = told.filter((each) => each !== 'caught up');
  return { events, caughtUp: told.length - events.length, checkpoints: (recorded as Told).checkpoints && checkpoints };
}

describe.each(SERVERS)('the double of EventStoreDB, called as %s was', (name, limits) => {
  const { recorded } = recordingOf(name);
  let answers: readonly unknown[];

  beforeAll(async () => {
    answers = await replayed(recorded, limits);
  }, 120_000);

  it.each(recorded.map((each, index) => [index, each.call.op, each.call.stream ?? 'the log', each] as const))(
    'answers call %i, %s of %s, as it did',
    (index, _, __, each) => {
      expect(withoutTiming(each, answers[index])).toEqual(withoutTiming(each, each.answer));
    },
  );
});

describe('the recordings', () => {
  it.each(SHOWN)('show that the double lacks this: %s', async (behaviour, call) => {
    const [name, limits] = SERVERS[0];
    const { recorded } = recordingOf(name);
    const answers = await replayed(recorded, limits, [behaviour]);
    const each = recorded[call]!;
    expect(withoutTiming(each, answers[call])).not.toEqual(withoutTiming(each, each.answer));
  });
});
