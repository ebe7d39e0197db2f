import { App } from './harness/app.js';
import { EventReader } from './harness/event-reader.js';
import { eventually } from './harness/eventually.js';
import { RecordingModel, echo } from './harness/recording-model.js';

const STREAMS = 300;
/** Enough for caches to fill. */
const FIRST_CROWDS = 12;
/** Enough for several full collections: the least that the heap holds meanwhile is free of garbage. */
const CROWDS = 12;
/** A process with much room puts collections off. This is what it needs, and half as much for garbage. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=192 --max-semi-space-size=8' };
const LEFT_AT_MOST_BYTES = CROWDS * STREAMS * 4_096;
const ROUNDS = 7;
const REQUESTS = 200;
const SLOWER_AT_MOST = 1.2;
/** What two measurements of the same differ by on a busy machine. */
const NOISE_MS = 4;

let model: RecordingModel;
let app: App;
/** A process like it, without streams. */
let quiet: App;
beforeAll(async () => {
  model = await RecordingModel.start();
  const settings = { ...model.variables, ...SMALL_HEAP, REPLY_WINDOW_MS: '110000' };
  [app, quiet] = await Promise.all([App.start(settings), App.start(settings)]);
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await Promise.all([app.dispose(), quiet.dispose()]);
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

async function heapBytes(): Promise<number> {
  const { text } = await app.as(null).get('/metrics');
  const bytes = (metric: string) => Number(new RegExp(`^${metric} (\\S+)`, 'm').exec(text)?.[1]);
  return bytes('nodejs_heap_size_used_bytes') + bytes('nodejs_external_memory_bytes');
}

/** A read of a conversation that it has begun: resolves to the milliseconds until the answer. */
async function readOfOthers({ api }: App): Promise<() => Promise<number>> {
  const { body } = await api.say('read by others', 'Hello');
  return async () => {
    const from = performance.now();
    expect((await api.get(`/v1/conversations/${body.conversation_id}`)).status).toBe(200);
    return performance.now() - from;
  };
}

/** The time within which 99 of 100 are. */
const p99 = (took: readonly number[]) => took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Infinity;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Infinity;

/** Lets so many crowds come and go; resolves to the least that the process held after one of them. */
async function heldAfter(crowds: number): Promise<number> {
  let least = Infinity;
  for (let left = crowds; left > 0; left -= 1) {
    await allTold();
    least = Math.min(least, await heapBytes());
  }
  return least;
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
    await heldAfter(FIRST_CROWDS);
    const before = await heldAfter(CROWDS);
    expect((await heldAfter(CROWDS)) - before).toBeLessThan(LEFT_AT_MOST_BYTES);
  });

  /**
   * 99 of 100 other requests take at most a fifth longer than without the streams. Requests to both processes alternate, so that
   * other work on the machine slows both down, and the medians of all rounds are compared.
   */
  it('hardly slow others down', async () => {
    const [besideStreams, withoutStreams] = await Promise.all([readOfOthers(app), readOfOthers(quiet)]);
    const [beside, without]: [number[], number[]] = [[], []];
    await allTold(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const [took, tookWithout]: [number[], number[]] = [[], []];
        for (let request = 0; request < REQUESTS; request += 1) {
          took.push(await besideStreams());
          tookWithout.push(await withoutStreams());
        }
        beside.push(p99(took));
        without.push(p99(tookWithout));
      }
    });
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
