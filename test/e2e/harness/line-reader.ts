import type { Client } from './client.js';
import { eventually } from './eventually.js';

/** A client of an answer of JSON lines that stays open, which keeps all that it reads. */
export class LineReader {
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly lines: any[] = [];
  /** How the answer ended; null while it is open. */
  ended: 'properly' | 'broken' | null = null;

  private constructor(
    readonly response: Response,
    private readonly connection: AbortController,
  ) {}

  static async open({ url, token }: Client, path: string): Promise<LineReader> {
    const connection = new AbortController();
    const init = { headers: { authorization: `Bearer ${token}` }, signal: connection.signal };
    const reader = new LineReader(await fetch(url + path, init), connection);
    void reader.read();
    return reader;
  }

  /** Waits until the expectation holds of what was read. */
  // oxlint-disable-next-line typescript/no-explicit-any
  has(expectation: (lines: readonly any[]) => void): Promise<void> {
    return eventually(() => expectation(this.lines));
  }

  close(): void {
    this.connection.abort();
  }

  private async read(): Promise<void> {
    let rest = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of this.response.body ?? []) {
        const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        this.lines.push(...lines.map((line) => JSON.parse(line)));
      }
      this.ended = rest === '' ? 'properly' : 'broken';
    } catch {
      this.ended = 'broken';
    }
  }
}
