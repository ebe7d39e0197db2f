import { eventually } from '@ports/contracts/eventually';
import { API_KEY } from '../bodies/bodies-world.js';
import { ContextsWorld } from './contexts-world.js';

const MANY = 20;

let world: ContextsWorld;
beforeAll(async () => void (world = await ContextsWorld.start()));
beforeEach(() => world.forget());
afterAll(() => world.close());

interface Request {
  readonly head: string;
  readonly body: string;
}

let count = 0;

function request(line: string, body: string, key = API_KEY): Request {
  const fields = [`${line} HTTP/1.1`, 'Host: service', `Authorization: Bearer ${key}`, `Idempotency-Key: key-${++count}`];
  const content = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  return { head: `${[...fields, ...content].join('\r\n')}\r\n\r\n`, body };
}

const messageTo = (thread: string, more: object = {}, key = API_KEY): Request =>
  request('POST /v1/messages', JSON.stringify({ external_conversation_id: thread, content: `Hello ${++count}`, ...more }), key);
const message = (more?: object, key?: string) => messageTo(`thread-${++count}`, more, key);
const list = () => request('GET /v1/conversations?limit=100', '');
const many = (make: () => Request) => Array.from({ length: MANY }, make);

async function pipelined(requests: readonly Request[]): Promise<number> {
  const socket = await world.connection();
  socket.resume().write(requests.map(({ head, body }) => head + body).join(''));
  return requests.length;
}

async function atOnce(requests: readonly Request[]): Promise<number> {
  const sockets = await Promise.all(requests.map(() => world.connection()));
  for (const [index, { head, body }] of requests.entries()) sockets[index]?.resume().write(head + body);
  return requests.length;
}

/** The bodies come in the opposite order, once every head has arrived. */
async function withLateBodies(requests: readonly Request[]): Promise<number> {
  const sockets = await Promise.all(requests.map(() => world.connection()));
  for (const [index, { head }] of requests.entries()) sockets[index]?.resume().write(head);
  await eventually(() => expect(world.arrived).toBe(requests.length));
  for (const [index, { body }] of [...requests.entries()].toReversed()) sockets[index]?.write(body);
  return requests.length;
}

const HANDLED = ['handler', 'answer', 'kept answer', 'end', 'log line'];
const COMMANDED = [...HANDLED, 'command', 'message', 'reply'];
/** Commas that take a moment to parse, so that such bodies wait for each other. */
const HEAVY = { ignored: Array<number>(9_000).fill(1) };

describe('the async context of a request', () => {
  it.each([
    ['messages, pipelined', () => pipelined(many(() => message())), COMMANDED],
    ['messages at once', () => atOnce(many(() => message())), COMMANDED],
    ['messages to one conversation', () => atOnce(many(() => messageTo('one'))), COMMANDED],
    ['messages whose bodies come late', () => withLateBodies(many(() => message())), COMMANDED],
    ['messages with bodies that wait for each other', () => atOnce(many(() => message(HEAVY))), COMMANDED],
    ['lists, pipelined', () => pipelined(many(list)), HANDLED],
    ['lists that wait for each other', () => atOnce([...many(list), ...many(list)]), HANDLED],
    ['refusals, pipelined', () => pipelined(many(() => message({ content: 1 }))), ['answer', 'end', 'log line']],
    ['refusals before late bodies', () => withLateBodies(many(() => message({}, 'sk_unknown'))), ['answer', 'end', 'log line']],
  ])('bears all that it sets off, and nothing of another: %s', async (_, send, places) => {
    const requests = await send();
    await eventually(() => expect(world.count('log line')).toBe(requests));
    expect(world.strays).toEqual([]);
    for (const place of places) expect([place, world.count(place)]).toEqual([place, requests]);
  });
});
