import { FakeClock, settle } from '@testing/fake-clock';
import { EmbeddedEngine, type EngineParts } from './engine.embedded.js';
import type { WriteAnswer, WriteRequest } from './writer/requests.js';
import { WriteQueue } from './writer/write-queue.js';
import type { WriterThread } from './writer/writer-thread.js';

/** A writer on a disk that fills up, and that takes its time to end. */
class Writer implements WriterThread {
  readonly opened = { head: 0, identity: 'log', opening: 1, leftovers: false };
  full = false;
  end: () => void = () => undefined;
  private tell: (answers: readonly WriteAnswer[]) => void = () => undefined;

  post(batch: readonly WriteRequest[]): void {
    const refusal = { refused: 'not-stored', reason: 'the disk is full', disk: true } as const;
    const answers = batch.map(() => (this.full ? refusal : null));
    setImmediate(() => this.tell(answers));
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
const queue = new WriteQueue(writer, new FakeClock());
let released = 0;
const lock = { release: () => void released++ };
const part = { close: () => undefined };
const parts = { queue, lock, reader: part, events: part, readModels: part, records: part, bus: part };
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

  it('keeps its directory until its writer has ended', async () => {
    const closed = engine.close();
    for (let turn = 0; turn < 4; turn++) await settle();
    expect(released).toBe(0);
    writer.end();
    await closed;
    expect(released).toBe(1);
  });
});
