import { eventually } from './eventually.js';
import type { Client } from './client.js';

export interface ReadEvent {
  readonly event: string;
  readonly id: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** A client of server-sent events, which keeps all that it reads. */
export class EventReader {
  readonly events: ReadEvent[] = [];
  readonly comments: string[] = [];
  /** As a browser keeps it for its next connection: that of the latest event or comment. */
  lastId = '';
  /** How the stream ended; null while it is open. */
  ended: 'properly' | 'broken' | null = null;

  private constructor(
    readonly response: Response,
    private readonly connection: AbortController,
  ) {}

  static async open({ url, token }: Client, path: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
    return EventReader.begin(url + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
  }

  /** Posts, and reads the answer as a stream. */
  static async post({ url, token }: Client, path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    const own = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'text/event-stream' };
    return EventReader.begin(url + path, { method: 'POST', body: JSON.stringify(body), headers: { ...own, ...headers } });
  }

  private static async begin(address: string, request: RequestInit): Promise<EventReader> {
    const connection = new AbortController();
    const init = { ...request, signal: connection.signal };
    const reader = new EventReader(await fetch(address, init), connection);
    if (reader.status === 200) void reader.read();
    return reader;
  }

  get status(): number {
    return this.response.status;
  }

  /** Waits until the expectation holds of what was read. */
  has(expectation: (events: readonly ReadEvent[]) => void): Promise<void> {
    return eventually(() => expectation(this.events));
  }

  /** Waits for a change of this resource, and returns the event. */
  async changed(object: string, id: string): Promise<ReadEvent> {
    return eventually(() => {
      const found = this.events.find(({ event, data }) => event === 'changed' && data.object === object && data.id === id);
      if (!found) throw new Error(`no change of ${object} ${id} in ${JSON.stringify(this.events)}`);
      return found;
    });
  }

  close(): void {
    this.connection.abort();
  }

  private async read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.take(block.split('\n'));
      }
      this.ended = 'properly';
    } catch {
      this.ended = 'broken';
    }
  }

  private take(lines: readonly string[]): void {
    const fields = new Map(lines.map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]));
    this.lastId = fields.get('id') ?? this.lastId;
    if (fields.has('')) this.comments.push(fields.get('') ?? '');
    const [event, data] = [fields.get('event'), fields.get('data')];
    if (event !== undefined && data !== undefined) this.events.push({ event, id: this.lastId, data: JSON.parse(data) });
  }
}
