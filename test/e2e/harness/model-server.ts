import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export type ModelAnswer =
  | string
  /** Tools it wants to use first. */
  | { readonly calls: readonly { readonly name: string; readonly args: string }[] }
  /** It fails with this status. */
  | { readonly status: number };

/** A model behind an OpenAI-compatible address, answering as a spec wants it to. */
export class ModelServer {
  /** How many times it was asked. */
  asked = 0;
  /** What it says to the last message of what it was sent. */
  answering: (question: { readonly last: string }) => ModelAnswer = ({ last }) => `Echo: ${last}`;
  private readonly server: Server;
  private released: Promise<void> = Promise.resolve();

  private constructor() {
    this.server = createServer((request, response) => void this.onAsked(request, response));
  }

  static async start(): Promise<ModelServer> {
    const model = new ModelServer();
    await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve));
    return model;
  }

  /** The settings of a service that asks this model. */
  get variables(): Readonly<Record<string, string>> {
    const address = this.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return { AGENT: 'openai', AGENT_BASE_URL: `http://127.0.0.1:${port}/v1`, AGENT_MODEL: 'fake' };
  }

  /** Answers nobody who asks from now on, until what it returns is called. */
  hold(): () => void {
    let release = () => {};
    this.released = new Promise((resolve) => (release = resolve));
    return release;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async onAsked(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: readonly { content: unknown }[] };
    this.asked++;
    await this.released;
    const answer = this.answering({ last: String(messages.at(-1)?.content) });
    const failure = typeof answer === 'object' && 'status' in answer ? answer.status : null;
    response.writeHead(failure ?? 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(failure === null ? completion(answer) : { error: { message: 'no', type: 'server_error' } }));
  }
}

function completion(answer: ModelAnswer): object {
  const calls = typeof answer === 'object' && 'calls' in answer ? answer.calls : [];
  const toolCalls = calls.map(({ name, args }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: args },
  }));
  const content = typeof answer === 'string' ? answer : null;
  const message = { role: 'assistant', content, refusal: null, ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
  const choice = { index: 0, finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop', logprobs: null, message };
  return { id: 'chatcmpl-1', object: 'chat.completion', created: 0, model: 'fake', choices: [choice] };
}
