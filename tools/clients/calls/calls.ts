// Calls the service with the generated client, in whose folder it is compiled.
import { Configuration, MessageEventResourceEventEnum, MessagesApi, type ReplyResource, type SentMessageResource } from './index';

declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

const { BASE_URL: basePath, API_KEY: accessToken } = process.env;
const messages = new MessagesApi(new Configuration({ basePath, accessToken }));

interface StreamEvent {
  readonly event: string;
  readonly id: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** The events of an answer, which the client has not read. */
async function eventsOf({ body }: Response): Promise<readonly StreamEvent[]> {
  if (!body) throw new Error('there is no body');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
  const blocks = text
    .split('\n\n')
    .map((block) => new Map(block.split('\n').map((line) => line.split(/: (.*)/, 2) as [string, string])));
  return blocks.flatMap((fields) => {
    const [event, id = '', data = ''] = [fields.get('event'), fields.get('id'), fields.get('data')];
    return event === undefined ? [] : [{ event, id, data: JSON.parse(data) }];
  });
}

const { MessageCreated, ReplyDelta, ReplyCompleted, Done } = MessageEventResourceEventEnum;
const accept =
  (type: string) =>
  async ({ init }: { init: RequestInit }) => ({ headers: { ...init.headers, accept: type } });
const dataOf = (events: readonly StreamEvent[], name: string) => events.find(({ event }) => event === name)?.data;
const said = (events: readonly StreamEvent[]) =>
  events.flatMap(({ event, data }) => (event === ReplyDelta ? [data.delta] : [])).join('');

function equal(actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(actual)} is not ${JSON.stringify(expected)}`);
}

let streamed: readonly StreamEvent[] = [];

async function postMessage(): Promise<void> {
  const sendMessageDto = { external_conversation_id: 'typescript', content: 'Hello' };
  const sent = await messages.sendMessage({ sendMessageDto, idempotencyKey: 'typescript-hello' });
  equal([sent.role, sent.reply?.role, sent.conversation.status], ['user', 'assistant', 'active']);
}

async function readStream(): Promise<void> {
  const sendMessageDto = { external_conversation_id: 'typescript', content: 'Hello again' };
  const request = { sendMessageDto, idempotencyKey: 'typescript-stream' };
  const { raw } = await messages.sendMessageRaw(request, accept('text/event-stream'));
  streamed = await eventsOf(raw);
  const message = dataOf(streamed, MessageCreated) as SentMessageResource;
  const reply = dataOf(streamed, ReplyCompleted) as ReplyResource;
  equal([message.content, said(streamed), streamed.at(-1)?.event], ['Hello again', reply.content, Done]);
  equal((await messages.sendMessage(request)).reply?.id, reply.id);
}

async function goOn(): Promise<void> {
  const { id, conversation_id: conversation } = dataOf(streamed, MessageCreated) as SentMessageResource;
  const [from] = streamed.filter(({ event }) => event === ReplyDelta);
  const place = { 'last-event-id': from?.id ?? '' };
  const { raw } = await messages.streamMessageRaw({ id: conversation, messageId: id }, async ({ init }) => ({
    headers: { ...init.headers, ...place },
  }));
  const rest = await eventsOf(raw);
  const index = streamed.findIndex(({ event }) => event === ReplyDelta);
  equal(
    rest.map(({ event }) => event),
    streamed.slice(index + 1).map(({ event }) => event),
  );
}

const CALLS = {
  'posts a message and reads the reply': postMessage,
  'reads a reply as it is said': readStream,
  'goes on where a stream broke off': goOn,
};

for (const [name, call] of Object.entries(CALLS)) {
  await call().then(
    () => console.log(`ok ${name}`),
    (error: unknown) => console.log(`FAILED ${name}: ${JSON.stringify(String(error)).slice(0, 2_000)}`),
  );
}
