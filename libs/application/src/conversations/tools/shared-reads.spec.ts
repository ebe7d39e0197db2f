import { settle } from '@testing/fake-clock';
import { SharedReads } from './shared-reads.js';

/** Reads that go on until `end` is called. */
class Shelf {
  readonly begun: string[] = [];
  readonly unwanted: string[] = [];
  private readonly ends = new Map<string, () => void>();
  private readonly reads = new SharedReads<string>();

  read(name: string, leaving?: AbortSignal, line = 'line'): Promise<string> {
    const load = (unwanted: AbortSignal) => {
      this.begun.push(name);
      unwanted.addEventListener('abort', () => this.unwanted.push(name));
      return new Promise<string>((resolve) => this.ends.set(name, () => resolve(`${name}, read`)));
    };
    return this.reads.run({ queue: line, name, load }, (found) => Promise.resolve(`${found} and used`), leaving);
  }

  /** Ends a read; returns the names of the reads begun by then. `meanwhile` runs `moment` promises after the end. */
  async end(name: string, moment = 0, meanwhile = () => {}): Promise<readonly string[]> {
    await settle();
    this.ends.get(name)?.();
    for (let n = 0; n < moment; n++) await Promise.resolve();
    meanwhile();
    await settle();
    return this.begun;
  }
}

let shelf: Shelf;
beforeEach(() => (shelf = new Shelf()));

describe('long reads', () => {
  it('are done one at a time in a line, whatever others do', async () => {
    void shelf.read('a');
    void shelf.read('b');
    void shelf.read('other', undefined, 'another line');
    await settle();
    expect(shelf.begun).toEqual(['a', 'other']);
    expect(await shelf.end('a')).toEqual(['a', 'other', 'b']);
  });

  it('are done once for all who ask before they begin, and anew for who asks later', async () => {
    void shelf.read('a');
    const together = [shelf.read('b'), shelf.read('b')];
    expect(await shelf.end('a')).toEqual(['a', 'b']);
    const later = shelf.read('b');
    await shelf.end('b');
    expect(await Promise.all(together)).toEqual(Array(2).fill('b, read and used'));
    expect(shelf.begun).toEqual(['a', 'b', 'b']);
    await shelf.end('b');
    expect(await later).toBe('b, read and used');
  });

  it('are passed over where all who wanted them have left, whose wait is over at once', async () => {
    const leaving = new AbortController();
    void shelf.read('a');
    const given = [shelf.read('b', leaving.signal), shelf.read('b', leaving.signal)];
    void shelf.read('c');
    leaving.abort();
    for (const each of await Promise.allSettled(given)) expect(each).toMatchObject({ reason: { name: 'AbortError' } });
    expect(await shelf.end('a')).toEqual(['a', 'c']);
    await expect(shelf.read('d', leaving.signal)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }) as Error);
  });

  it('are done as long as one is there who wants them', async () => {
    const leaving = new AbortController();
    void shelf.read('a');
    const given = shelf.read('b', leaving.signal);
    const wanted = shelf.read('b');
    leaving.abort();
    await expect(given).rejects.toThrow();
    await shelf.end('a');
    await shelf.end('b');
    expect(await wanted).toBe('b, read and used');
    expect(shelf.unwanted).not.toContain('b, read');
  });

  it('are told when all have left meanwhile; the next begins when they have ended', async () => {
    const leaving = new AbortController();
    const given = shelf.read('a', leaving.signal);
    void shelf.read('b');
    await settle();
    leaving.abort();
    await expect(given).rejects.toThrow();
    await settle();
    expect([shelf.unwanted, shelf.begun]).toEqual([['a'], ['a']]);
    expect(await shelf.end('a')).toEqual(['a', 'b']);
  });

  it('let the next begin when their turn comes, whenever in that moment those who wanted them leave', async () => {
    for (let moment = 0; moment < 8; moment++) {
      shelf = new Shelf();
      const leaving = new AbortController();
      void shelf.read('a');
      await settle();
      const given = shelf.read('b', leaving.signal);
      void shelf.read('c');
      const ended = shelf.end('a', moment, () => leaving.abort());
      await expect(given).rejects.toThrow();
      await ended;
      expect(shelf.begun.filter((name) => name !== 'b')).toEqual(shelf.begun.includes('b') ? ['a'] : ['a', 'c']);
      expect((await shelf.end('b')).at(-1)).toBe('c');
    }
  });

  it('let the next begin where they fail', async () => {
    const reads = new SharedReads<string>();
    const load = () => Promise.reject(new Error('no'));
    const use = (found: string) => Promise.resolve(found);
    const failed = [reads.run({ queue: 'line', name: 'a', load }, use), reads.run({ queue: 'line', name: 'a', load }, use)];
    for (const each of await Promise.allSettled(failed)) expect(each).toMatchObject({ reason: { message: 'no' } });
    expect(await reads.run({ queue: 'line', name: 'a', load: () => Promise.resolve('a') }, use)).toBe('a');
  });

  it('are refused where two hundred wait in their line, unless one of these is the same', async () => {
    const leaving = Array.from({ length: 201 }, () => new AbortController());
    for (const [n, { signal }] of leaving.entries()) shelf.read(`${n}`, signal).catch(() => undefined);
    await expect(shelf.read('one more')).rejects.toMatchObject({ code: 'service_unavailable' });
    void shelf.read('200');
    for (const each of leaving.slice(1)) each.abort();
    await settle();
    void shelf.read('one more');
    await shelf.end('0');
    expect(await shelf.end('200')).toEqual(['0', '200', 'one more']);
  });
});
