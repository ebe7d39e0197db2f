import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ModelMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
  readonly tool_choice?: string;
  readonly stream?: boolean;
}

export type ModelAction = { readonly name: string; readonly args: unknown };

/** The body of a chat completion with this content and these tool calls. Arguments given as text are sent unchanged. */
export function completion(content: string | null, ...actions: readonly ModelAction[]): unknown {
  const tool_calls = actions.map(({ name, args }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
  const message = { role: 'assistant', content, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
  return { id: 'cmpl_1', object: 'chat.completion', choices: [{ index: 0, finish_reason: 'stop', message }] };
}

type Delta = string | Readonly<Record<string, unknown>>;

/** An event of a stream: a part of the content, or a whole delta. */
export function piece(delta: Delta, finish_reason: string | null = null): string {
  const choice = { index: 0, delta: typeof delta === 'string' ? { content: delta } : delta, finish_reason };
  return `data: ${JSON.stringify({ id: 'cmpl_1', object: 'chat.completion.chunk', choices: [choice] })}\n\n`;
}

/** Answers with a stream of these deltas. Each after the first is sent once `next`, called with the number of those sent, resolves. */
export async function stream(
  response: ServerResponse,
  deltas: readonly Delta[],
  next: (sent: number) => unknown = () => undefined,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [sent, delta] of deltas.entries()) {
    if (sent > 0) await next(sent);
    response.write(piece(delta));
  }
  response.end(`${piece({}, 'stop')}data: [DONE]\n\n`);
}

type Script = (request: ModelRequest, response: ServerResponse) => unknown;

/** A local server for `POST /v1/chat/completions` that records its requests. */
export class FakeModel {
  readonly requests: ModelRequest[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  readonly urls: string[] = [];
  /** Returns the body to send, or undefined after it has used `response` itself. */
  script: Script = () => completion('Hello!');
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<FakeModel> {
    const model = new FakeModel();
    await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  get lastMessages(): readonly ModelMessage[] {
    return this.requests.at(-1)?.messages ?? [];
  }

  forget(): void {
    this.requests.length = 0;
    this.headers.length = 0;
    this.urls.length = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.split('?')[0] !== '/v1/chat/completions') return void response.writeHead(404).end('{}');
    const asked = JSON.parse(await text(request)) as ModelRequest;
    this.headers.push(request.headers);
    this.urls.push(request.url);
    this.requests.push(asked);
    const body = this.script(asked, response);
    if (body !== undefined) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
