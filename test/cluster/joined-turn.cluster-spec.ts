import type { Answer } from '../e2e/harness/client.js';
import { App, type Part } from '../e2e/harness/app.js';
import { EventReader, type ReadEvent } from '../e2e/harness/event-reader.js';
import { eventually } from '../e2e/harness/eventually.js';
import { Installation } from '../e2e/harness/installation.js';
import { echo, type ModelReply, RecordingModel } from '../e2e/harness/recording-model.js';

const TOLD_WITHIN_MS = 12_000;

/** What a reader was told. */
interface Told {
  readonly id: string;
  /** The bytes in which it was sent. */
  readonly reply: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

let installation: Installation;
let model: RecordingModel;
let gateways: readonly [App, App];
let others: readonly App[];

beforeAll(async () => {
  installation = new Installation();
  model = await RecordingModel.start();
  // Any of them may take a turn over, and asks the same model then.
  const start = (part: Part) => App.start(model.variables, installation, part);
  gateways = await Promise.all([start('gateway'), start('gateway')]);
  others = await Promise.all([start('projections'), start('delivery')]);
});
afterEach(() => void (model.answering = echo));
afterAll(async () => {
  await Promise.all([...gateways, ...others].map((app) => app.kill()));
  await installation.dispose();
  await model.stop();
});

function toldIn({ status, text, body }: Answer): Told {
  if (status !== 200) throw new Error(`It was answered ${status} ${text}`);
  const reply = JSON.stringify(body.reply);
  // A client that compares bytes finds the same ones.
  expect(text).toContain(`"reply":${reply}`);
  return { id: body.id, reply, at: Date.now() };
}

async function toldBy(reader: EventReader): Promise<Told> {
  await eventually(() => expect(reader.ended).not.toBeNull());
  const completed = reader.events.find(({ event }) => event === 'reply.completed');
  if (completed === undefined) throw new Error(`The stream ended ${reader.ended} after ${JSON.stringify(reader.events)}`);
  return { id: completed.id.split('.')[0] ?? '', reply: JSON.stringify(completed.data), at: Date.now() };
}

function firstOf({ events: [first] }: EventReader): ReadEvent {
  if (first?.event !== 'message.created') throw new Error(`The stream begins with ${first?.event}.`);
  return first;
}

/** The four ways in which a client waits for the reply to one message. */
class Waiting {
  /** Where the message is found, once a stream has told it. */
  path = '';
  private readonly headers: { readonly 'idempotency-key': string };

  constructor(private readonly name: string) {
    this.headers = { 'idempotency-key': name };
  }

  async synchronously({ api }: App): Promise<Told> {
    return toldIn(await api.say(this.name, this.name, {}, this.headers));
  }

  async byId({ api }: App): Promise<Told> {
    return toldIn(await api.get(`${this.path}?wait=60`));
  }

  async posted({ api }: App): Promise<EventReader> {
    const reader = await EventReader.post(
      api,
      '/v1/messages',
      { external_conversation_id: this.name, content: this.name },
      this.headers,
    );
    const { data: message } = await eventually(() => firstOf(reader));
    this.path = `/v1/conversations/${message.conversation_id}/messages/${message.id}`;
    return reader;
  }

  followed({ api }: App, lastEventId = ''): Promise<EventReader> {
    return EventReader.open(api, `${this.path}/stream`, lastEventId === '' ? {} : { 'last-event-id': lastEventId });
  }
}

/** Says the beginning of its reply, and never the rest. */
async function* unfinished(text: string): AsyncGenerator<string> {
  yield `Echo: ${text.slice(0, 5)}`;
  await new Promise(() => undefined);
}

const CASES: readonly [string, string, (text: string) => ModelReply | Promise<ModelReply>][] = [
  ['before its model says anything', 'Who is there?', () => new Promise(() => undefined)],
  ['amid a reply that clients read already', 'Who has read a part?', (text) => ({ pieces: unfinished(text) })],
];

describe('a turn that clients wait for in four ways at two gateways', () => {
  it.each(CASES)('whose gateway is killed %s has one reply, which all of them are told', async (when, text, firstAnswer) => {
    const [running, living] = gateways;
    model.answering = (asked) => (model.about(text).length === 1 ? firstAnswer(text) : echo(asked));
    const client = new Waiting(text);
    const first = client.synchronously(running);
    await eventually(() => expect(model.about(text)).toHaveLength(1));
    const posted = await client.posted(running);
    const followed = await client.followed(running);
    const lost = Promise.allSettled([first, toldBy(posted), client.byId(running), toldBy(followed)]);
    const streams = [await client.posted(living), await client.followed(living)];
    const waiting = [client.synchronously(living), client.byId(living), ...streams.map(toldBy)];
    // Streams do not count once they have begun.
    for (const gateway of gateways) await eventually(async () => expect(await gateway.requestsInFlight()).toBe(2));
    if (when.startsWith('amid')) await followed.has((events) => expect(events.at(-1)?.event).toBe('reply.delta'));

    await running.kill();
    expect((await lost).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    const resumed = client.followed(living, followed.lastId);
    const again = [client.synchronously(living), client.posted(living).then(toldBy), client.byId(living), resumed.then(toldBy)];
    const told = await Promise.all([...waiting, ...again]);

    expect(new Set(told.map(({ id, reply }) => `${id} ${reply}`)).size).toBe(1);
    const reply = JSON.parse(told[0]?.reply ?? '');
    expect(reply.content).toBe(`Echo: ${text}`);
    for (const { at } of told) expect(at - Date.parse(reply.created_at)).toBeLessThan(TOLD_WITHIN_MS);
    expect((await resumed).events.map(({ event }) => event).slice(-3)).toEqual([
      'reply.completed',
      'conversation.updated',
      'done',
    ]);
    const { body: transcript } = await living.api.get(`${client.path.split('/messages/')[0]}/messages`);
    expect(transcript.data.map(({ id }: { readonly id: string }) => id)).toEqual([told[0]?.id, reply.id]);
    expect(model.about(text)).toHaveLength(2);
    await running.restart();
  });
});
