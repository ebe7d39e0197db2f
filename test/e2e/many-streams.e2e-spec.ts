import { App } from './harness/app.js';
import { EventReader } from './harness/event-reader.js';
import { eventually } from './harness/eventually.js';
import { RecordingModel, echo } from './harness/recording-model.js';

const STREAMS = 300;
/** Enough for the first ones to fill the heap, and for the others to show what they leave. */
const CROWDS = 20;
/** A process with much room puts collections off, and its memory tells of that. This is what it needs, and half as much for garbage. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=192 --max-semi-space-size=8' };
/** For 6,000 streams: 4 KiB each. */
const GROWN_AT_MOST_MIB = 24;
const ROUNDS = 5;
const REQUESTS = 200;
const SLOWER_AT_MOST = 1.2;
/** What two measurements of the same differ by on a busy machine. */
const NOISE_MS = 5;

let model: RecordingModel;
let app: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  app = await App.start({ ...model.variables, ...SMALL_HEAP, REPLY_WINDOW_MS: '110000' });
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await app.dispose();
  await model.stop();
});

/** Posts as many messages, each to a conversation that it has for itself, and reads each reply as a stream. */
async function opened(): Promise<readonly EventReader[]> {
  const readers: EventReader[] = [];
  // At once they would overflow what the system keeps of connections that are not accepted yet.
  for (let from = 0; from < STREAMS; from += 50) {
    const numbers = Array.from({ length: 50 }, (_, index) => from + index);
    readers.push(...(await Promise.all(numbers.map((number) => posted(`many-${number}`)))));
  }
  return readers;
}

function posted(thread: string): Promise<EventReader> {
  return EventReader.post(app.api, '/v1/messages', { external_conversation_id: thread, content: thread });
}

const last = ({ events }: EventReader) => events.at(-1)?.event;
const allSay = (readers: readonly EventReader[], event: string) =>
  eventually(() => expect(readers.filter((reader) => last(reader) !== event)).toHaveLength(0));
const message = ({ events: [created] }: EventReader) => created?.data as { id: string; conversation_id: string; content: string };
const reply = ({ events }: EventReader) => events.find(({ event }) => event === 'reply.completed')?.data;

async function mebibytes(metric: string): Promise<number> {
  const { text } = await app.as(null).get('/metrics');
  return Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(text)?.[1]) / 2 ** 20;
}

/** The time within which 99 of 100 requests are answered that are made one after the other. */
async function p99(path: string): Promise<number> {
  const took: number[] = [];
  for (let left = REQUESTS; left > 0; left -= 1) {
    const from = performance.now();
    expect((await app.api.get(path)).status).toBe(200);
    took.push(performance.now() - from);
  }
  return took.toSorted((a, b) => a - b)[Math.floor(REQUESTS * 0.99)] ?? Infinity;
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;

/** Lets so many crowds come and go; resolves to the memory that the process holds then. */
async function memoryAfter(crowds: number): Promise<number> {
  for (let left = crowds; left > 0; left -= 1) await allTold();
  return mebibytes('process_resident_memory_bytes');
}

/** Opens the streams, and resolves once all have been told their replies. */
async function allTold(whileOpen: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const release = model.hold();
  const readers = await opened();
  await allSay(readers, 'message.created');
  await whileOpen();
  release();
  await allSay(readers, 'done');
  for (const reader of readers) expect(reply(reader).content).toBe(`Echo: ${message(reader).content}`);
}

describe(`${STREAMS} streams at once`, () => {
  it('all tell their replies, and leave no memory behind', async () => {
    const before = await memoryAfter(CROWDS);
    expect((await memoryAfter(CROWDS)) - before).toBeLessThan(GROWN_AT_MOST_MIB);
  });

  /**
   * Promised is that 99 of 100 other requests take at most a fifth longer than without the streams. Each p99 without them stands beside
   * one with them, moments later; the medians of all rounds are compared, less what two measurements of the same differ by.
   */
  it('hardly slow others down', async () => {
    const { body } = await app.api.say('read by others', 'Hello');
    const path = `/v1/conversations/${body.conversation_id}`;
    await p99(path);
    const [without, beside]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      without.push(await p99(path));
      await allTold(async () => void beside.push(await p99(path)));
    }
    expect(median(beside)).toBeLessThan(median(without) * SLOWER_AT_MOST + NOISE_MS);
  });

  it('end with a comment when the process is asked to end, and their clients go on after its restart', async () => {
    const release = model.hold();
    const readers = await opened();
    await allSay(readers, 'message.created');
    const stopping = app.stop();
    await eventually(() => expect(readers.filter(({ ended }) => ended !== 'properly')).toHaveLength(0));
    expect(new Set(readers.map(({ comments }) => comments.at(-1)))).toEqual(new Set(['the service shuts down']));
    expect(readers.flatMap(({ events }) => events.map(({ event }) => event))).toEqual(readers.map(() => 'message.created'));
    release();
    expect(await stopping).toBe(0);
    await app.restart();
    const resumed = await Promise.all(
      readers.map((reader) => {
        const { id, conversation_id: conversation } = message(reader);
        const path = `/v1/conversations/${conversation}/messages/${id}/stream`;
        return EventReader.open(app.api, path, { 'last-event-id': reader.lastId });
      }),
    );
    await allSay(resumed, 'done');
    expect(resumed.map((reader) => reply(reader).content)).toEqual(readers.map((reader) => `Echo: ${message(reader).content}`));
    expect(resumed.flatMap(({ events }) => events).filter(({ event }) => event === 'message.created')).toEqual([]);
  });
});
