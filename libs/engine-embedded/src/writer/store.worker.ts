import { setTimeout } from 'node:timers';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { WriteRequest } from './requests.js';
import { openForWriting } from './store-file.js';
import { StoreWriter } from './store-writer.js';

type Message = readonly WriteRequest[] | 'close';

/** Far fewer requests are enough to be worth a sync. */
const REQUESTS_PER_COMMIT = 1024;
/** Checkpoint at this size of the log: rare enough, and short enough for waiting requests. */
const CHECKPOINT_AT_BYTES = 16 * 1_048_576;
const COMMITS_BETWEEN_LOOKS = 32;
const QUIET_MS = 250;

/** Takes batches from the port, merges those that arrive during a commit, and answers each commit with one message. */
class WriterLoop {
  private readonly waiting: WriteRequest[] = [];
  private closing = false;
  private running = false;
  private unsaved = 0;
  private quiet: NodeJS.Timeout | undefined;

  constructor(
    private readonly port: MessagePort,
    private readonly writer: StoreWriter,
  ) {}

  take(message: Message): void {
    this.keep(message);
    if (this.running) return;
    this.running = true;
    this.run();
  }

  private run(): void {
    for (;;) {
      for (let more = this.next(); more !== undefined; more = this.next()) this.keep(more);
      if (this.waiting.length === 0) return this.rest();
      const batch = this.waiting.splice(0, REQUESTS_PER_COMMIT);
      this.port.postMessage(this.writer.commit(batch));
      this.unsaved += 1;
      if (this.unsaved % COMMITS_BETWEEN_LOOKS === 0 && this.writer.unsavedBytes > CHECKPOINT_AT_BYTES) this.checkpoint();
    }
  }

  private keep(message: Message): void {
    if (message === 'close') this.closing = true;
    else for (const request of message) this.waiting.push(request);
  }

  private next(): Message | undefined {
    return (receiveMessageOnPort(this.port) as { message: Message } | undefined)?.message;
  }

  private rest(): void {
    this.running = false;
    if (this.closing) {
      clearTimeout(this.quiet);
      this.writer.close();
      this.port.postMessage('closed');
      this.port.close();
    } else if (this.unsaved > 0) {
      this.quiet ??= setTimeout(() => this.whenQuiet(), QUIET_MS).unref();
    }
  }

  private whenQuiet(): void {
    this.quiet = undefined;
    if (!this.running && !this.closing) this.checkpoint();
  }

  private checkpoint(): void {
    this.unsaved = 0;
    this.writer.checkpoint();
  }
}

if (parentPort) {
  const writer = new StoreWriter(openForWriting((workerData as { file: string }).file));
  const loop = new WriterLoop(parentPort, writer);
  parentPort.postMessage(writer.open());
  parentPort.on('message', (message: Message) => loop.take(message));
}
