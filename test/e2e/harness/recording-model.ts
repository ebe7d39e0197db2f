import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface AskedMessage {
  readonly role: string;
  readonly content: string | null;
}

/** A request as the model server received it. */
export interface Asked {
  readonly model: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** The query of the address. */
  readonly query: string;
  readonly messages: readonly AskedMessage[];
  readonly tools: readonly string[];
  readonly isStreamed: boolean;
  /** The system prompt. */
  readonly system: string;
  /** The content of the last message, which is the user's or a tool's result. */
  readonly last: string;
}

interface ToolUse {
  readonly name: string;
  /** The arguments as text, because models may write invalid JSON. */
  readonly args: string;
}

/** A text, tool calls, a text in pieces, or a raw HTTP answer that is not a completion. */
export type ModelReply = Completion | Pieces | RawAnswer;

type Completion = string | { readonly calls: readonly ToolUse[]; readonly content?: string };

/** Sent as a stream of events, each piece as soon as there is one, then the calls. */
interface Pieces {
  readonly pieces: Iterable<string> | AsyncIterable<string>;
  readonly calls?: readonly ToolUse[];
}

interface RawAnswer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Answering = (asked: Asked) => ModelReply | Promise<ModelReply>;

const API_KEY = 'model-key';
const MODEL = 'model-of-the-specs';

/** Answers every message with its own text. */
export const echo: Answering = ({ last }) => `Echo: ${last}`;

/** A model server that records its requests and gives scripted answers. */
export class RecordingModel {
  readonly asked: Asked[] = [];
  answering: Answering = echo;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RecordingModel> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const model = new RecordingModel(server);
    server.on('request', (request, response) => void model.serve(request, response).catch(() => response.destroy()));
    return model;
  }

  /** The environment variables that make a service use this server. */
  get variables(): Readonly<Record<string, string>> {
    const { port } = this.server.address() as AddressInfo;
    return { AGENT: 'openai', AGENT_BASE_URL: `http://127.0.0.1:${port}/v1`, AGENT_API_KEY: API_KEY, AGENT_MODEL: MODEL };
  }

  /** The requests whose conversation contains this user message. */
  about(text: string): readonly Asked[] {
    return this.asked.filter(({ messages }) => messages.some(({ role, content }) => role === 'user' && content === text));
  }

  /** The only request that ends in this message. Throws if there is none or another one. */
  only(text: string): Asked {
    const [first, ...more] = this.asked.filter(({ last }) => last === text);
    if (!first || more.length > 0) throw new Error(`${first ? more.length + 1 : 0} requests end in "${text}".`);
    return first;
  }

  /** Holds all answers back until the returned function is called, which sets how they are answered. */
  hold(): (answering?: Answering) => void {
    let release: (answering: Answering) => void = () => {};
    const released = new Promise<Answering>((resolve) => (release = resolve));
    this.answering = async (asked) => (await released)(asked);
    return (answering = echo) => {
      this.answering = answering;
      release(answering);
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request);
    this.asked.push(asked);
    const reply = await this.answering(asked);
    if (typeof reply === 'object' && 'pieces' in reply) return stream(response, reply);
    const isRaw = typeof reply === 'object' && 'status' in reply;
    response.writeHead(isRaw ? reply.status : 200, {
      'content-type': 'application/json',
      ...(isRaw && reply.headers),
    });
    response.end(isRaw ? reply.body : JSON.stringify(completion(reply)));
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  const { model, messages, tools = [], stream: isStreamed = false } = JSON.parse(text);
  return {
    model,
    authorization: request.headers.authorization,
    headers: request.headers,
    query: request.url?.split('?')[1] ?? '',
    messages,
    tools: tools.map((tool: any) => tool.function.name),
    isStreamed,
    system: messages[0].content,
    last: messages.at(-1).content,
  };
}

function wireOf({ name, args }: ToolUse, index: number) {
  return { index, id: `call-${index}`, type: 'function', function: { name, arguments: args } };
}

async function stream(response: ServerResponse, { pieces, calls = [] }: Pieces): Promise<void> {
  const send = (delta: object, finish_reason: string | null = null) => {
    const event = { id: 'completion', object: 'chat.completion.chunk', created: 0, model: MODEL };
    response.write(`data: ${JSON.stringify({ ...event, choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ role: 'assistant', content: '' });
  for await (const content of pieces) send({ content });
  if (calls.length > 0) send({ tool_calls: calls.map(wireOf) });
  send({}, calls.length > 0 ? 'tool_calls' : 'stop');
  response.end('data: [DONE]\n\n');
}

function completion(reply: Completion): unknown {
  const { content = null, calls = [] } = typeof reply === 'string' ? { content: reply } : reply;
  const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls.map(wireOf) }) };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: 'completion',
    object: 'chat.completion',
    created: 0,
    model: MODEL,
    choices: [{ index: 0, finish_reason, message }],
  };
}
