export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as text. */
  readonly text: string;
  /** The parsed JSON, undefined when `text` is not JSON. It is `any` because specs read bodies of every shape. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

type Extra = Readonly<Record<string, string>>;

/** An HTTP client for JSON that returns every answer unchanged, errors included. */
export class Client {
  constructor(
    readonly url: string,
    readonly token: string | null,
  ) {}

  get(path: string, headers: Extra = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  /** Without `body` the request has neither a body nor a content type. */
  post(path: string, body?: unknown, headers: Extra = {}): Promise<Answer> {
    return this.send('POST', path, body, headers);
  }

  patch(path: string, body?: unknown, headers: Extra = {}): Promise<Answer> {
    return this.send('PATCH', path, body, headers);
  }

  delete(path: string, headers: Extra = {}): Promise<Answer> {
    return this.send('DELETE', path, undefined, headers);
  }

  /** Posts a message to a thread. */
  say(thread: string, content: string, more: object = {}, headers: Extra = {}): Promise<Answer> {
    return this.post('/v1/messages', { external_conversation_id: thread, content, ...more }, headers);
  }

  send(method: string, path: string, body: unknown, headers: Extra = {}): Promise<Answer> {
    if (body === undefined) return this.raw(method, path, undefined, headers);
    return this.raw(method, path, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
  }

  /** Sends the body unchanged. */
  async raw(method: string, path: string, body: string | Uint8Array | undefined, headers: Extra = {}): Promise<Answer> {
    const authorization = this.token === null ? {} : { authorization: `Bearer ${this.token}` };
    const init = { method, headers: { ...authorization, ...headers }, ...(body === undefined ? {} : { body: body as string }) };
    const response = await fetch(this.url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
