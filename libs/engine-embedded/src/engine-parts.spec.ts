import { FakeClock, settle } from '@testing/fake-clock';
import { EmbeddedEngine, type EngineParts } from './engine.embedded.js';
import type { WriteAnswer, WriteRequest } from './writer/requests.js';
import { WriteQueue } from './writer/write-queue.js';
import type { WriterThread } from './writer/writer-thread.js';

class Writer implements WriterThread {
  readonly opened = { identity: 'log', opening: 1, leftovers: false };
  full = false;
  frozen = false;
  posts = 0;
  private readonly held: WriteRequest[] = [];
  end: () => void = () => undefined;
  private tell: (answers: readonly WriteAnswer[]) => void = () => undefined;

  post(batch: readonly WriteRequest[]): void {
    this.posts++;
    if (this.frozen) return void this.held.push(...batch);
    const refusal = { refused: 'not-stored', reason: 'the disk is full', disk: true } as const;
    const answers = batch.map(() => (this.full ? refusal : null));
    setImmediate(() => this.tell(answers));
  }

  thaw(): void {
    this.frozen = false;
    this.post(this.held.splice(0));
  }

  onAnswers(listener: (answers: readonly WriteAnswer[]) => void): void {
    this.tell = listener;
  }

  onLost(): void {}

  close(): Promise<void> {
    return new Promise((resolve) => (this.end = resolve));
  }
}

const writer = new Writer();
const clock = new FakeClock();
const queue = new WriteQueue(writer, clock);
let released = 0;
const lock = { release: () => void released++ };
const part = { close: () => undefined };
const parts = { clock, queue, lock, reader: part, events: part, readModels: part, records: part, bus: part, backups: part };
const engine = new EmbeddedEngine(parts as unknown as EngineParts);
const isReady = async () => (await engine.parts()).every(({ ready }) => ready);

async function asked(times: number): Promise<readonly boolean[]> {
  const answers: boolean[] = [];
  for (let time = 0; time < times; time++) {
    answers.push(await isReady());
    for (let turn = 0; turn < 4; turn++) await settle();
  }
  return answers;
}

describe('an engine', () => {
  it('that nobody writes to is ready again once it was asked and the disk has room, however long it had none', async () => {
    writer.full = true;
    await queue.ask({ kind: 'retire', stream: 'note-1' }).catch(() => undefined);
    expect(await asked(3)).toEqual([false, false, false]);
    writer.full = false;
    expect(await asked(2)).toEqual([false, true]);
  });

  it('that nobody has written to for a while asks its disk before it says that it is ready, and not again for a while', async () => {
    await clock.advance(5_000);
    const before = writer.posts;
    expect(await asked(3)).toEqual([true, true, true]);
    expect(writer.posts).toBe(before + 1);
    writer.full = true;
    await clock.advance(4_999);
    expect(await asked(1)).toEqual([true]);
    await clock.advance(1);
    expect(await asked(1)).toEqual([false]);
    writer.full = false;
    expect(await asked(2)).toEqual([false, true]);
  });

  it('leaves no timer behind of a disk that answered, but for the one that every write does', async () => {
    await clock.advance(5_000);
    await queue.ask({ kind: 'retire', stream: 'note-1' });
    const ofWrite = clock.pending;
    await clock.advance(5_000);
    expect(await asked(1)).toEqual([true]);
    expect(clock.pending).toBe(ofWrite);
  });

  it('says so a second later when its disk does not answer, and no more once that is too late', async () => {
    await clock.advance(5_000);
    writer.frozen = true;
    const answer = isReady();
    await clock.advance(1_000);
    expect(await answer).toBe(true);
    expect(await isReady()).toBe(true);
    await clock.advance(3_500);
    for (let turn = 0; turn < 4; turn++) await settle();
    expect(await isReady()).toBe(false);
    writer.thaw();
    for (let turn = 0; turn < 4; turn++) await settle();
    expect(await isReady()).toBe(true);
  });

  it('keeps its directory until its writer has ended', async () => {
    const closed = engine.close();
    for (let turn = 0; turn < 4; turn++) await settle();
    expect(released).toBe(0);
    writer.end();
    await closed;
    expect(released).toBe(1);
  });
});
