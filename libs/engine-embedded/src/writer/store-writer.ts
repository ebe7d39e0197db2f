import { randomUUID } from 'node:crypto';
import type { Database } from '../database.js';
import { EventWrites } from '../events/event-writes.js';
import { RecordWrites } from '../records/record-writes.js';
import { RowNotTaken, RowWrites } from '../rows/row-writes.js';
import { MessageWrites } from '../topics/message-writes.js';
import type { Refusal, WriteAnswer, WriteRequest, WriterOpened } from './requests.js';

const DISK_FULL = 13;
const IO_ERROR = 10;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** The only writer of the file. All requests of a batch share one transaction and one sync. */
export class StoreWriter {
  private readonly events: EventWrites;
  private readonly rows: RowWrites;
  private readonly records: RecordWrites;
  private readonly messages: MessageWrites;
  private readonly pageBytes: number;
  private broken: string | undefined;

  /** The connection comes from `openForWriting`. */
  constructor(readonly db: Database) {
    this.events = new EventWrites(this.db);
    this.rows = new RowWrites(this.db);
    this.records = new RecordWrites(this.db);
    this.messages = new MessageWrites(this.db);
    [this.pageBytes] = this.db.prepare('PRAGMA page_size').get() as unknown as [number];
  }

  /** Must be called once, before anything else. */
  open(): WriterOpened {
    this.db.exec('BEGIN IMMEDIATE');
    const value = this.db.prepare('SELECT value FROM meta WHERE name = ?');
    const set = this.db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
    const read = (name: string) => (value.get(name) as unknown as [string | number] | undefined)?.[0];
    const identity = String(read('identity') ?? randomUUID());
    const opening = Number(read('opening') ?? 0) + 1;
    set.run('identity', identity);
    set.run('opening', opening);
    const leftovers = this.rows.dropUnfinished();
    this.db.exec('COMMIT');
    return { identity, opening, leftovers };
  }

  /**
   * Carries out the requests in order and syncs once. A request that the database rejects is refused alone. When the disk
   * fails, all are refused; after a failed commit every later request is refused too.
   */
  commit(requests: readonly WriteRequest[]): readonly WriteAnswer[] {
    if (this.broken !== undefined) return refuse(requests, 'not-stored', this.broken);
    let answers: readonly WriteAnswer[];
    try {
      this.db.exec('BEGIN IMMEDIATE');
      answers = requests.map((request) => this.perform(request));
    } catch (error) {
      this.rollBack();
      if (isDiskFailure(error)) return refuse(requests, 'not-stored', this.noteFailure(error));
      if (requests.length === 1) return [refusalOf(error)];
      return requests.flatMap((request) => this.commit([request]));
    }
    return this.finish(requests, answers);
  }

  /** Moves the write-ahead log into the file. */
  checkpoint(mode: 'PASSIVE' | 'TRUNCATE' = 'PASSIVE'): void {
    try {
      this.db.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
    } catch (error) {
      this.noteFailure(error);
    }
  }

  /** How much of the write-ahead log is not in the file yet. SQLite before 3.51 does not know NOOP and checkpoints it instead. */
  get unsavedBytes(): number {
    const [, logged, saved] = this.db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as unknown as [number, number, number];
    return (logged - saved) * this.pageBytes;
  }

  close(): void {
    this.checkpoint('TRUNCATE');
    this.db.close();
  }

  private perform(request: WriteRequest): WriteAnswer {
    switch (request.kind) {
      case 'append':
      case 'retire':
        return this.events.perform(request);
      case 'put-record':
      case 'index-records':
      case 'purge-records':
        return this.records.perform(request);
      case 'declare':
      case 'publish':
      case 'join':
      case 'consumed':
        return this.messages.perform(request);
      case 'probe':
        this.db.exec("INSERT OR REPLACE INTO meta (name, value) VALUES ('probe', 1)");
        return null;
      default:
        return this.rows.perform(request);
    }
  }

  /** A commit that fails has an unknown outcome: the batch may be found stored after a crash. */
  private finish(requests: readonly WriteRequest[], answers: readonly WriteAnswer[]): readonly WriteAnswer[] {
    try {
      this.db.exec('COMMIT');
      return answers;
    } catch (error) {
      this.rollBack();
      return refuse(requests, 'unknown', this.noteFailure(error));
    }
  }

  /** A full disk may get room again. After any other failure only a restart can tell what is stored. */
  private noteFailure(error: unknown): string {
    const reason = messageOf(error);
    if (codeOf(error) !== DISK_FULL) this.broken = reason;
    return reason;
  }

  private rollBack(): void {
    try {
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      this.events.forget();
      this.rows.forget();
    } catch (error) {
      this.broken = messageOf(error);
    }
  }
}

function refuse(requests: readonly WriteRequest[], refused: Refusal['refused'], reason: string): readonly Refusal[] {
  return requests.map(() => ({ refused, reason, disk: true }));
}

/** The refusal of a request that is at fault itself. */
function refusalOf(error: unknown): Refusal {
  const rows = error instanceof RowNotTaken;
  return { refused: 'not-stored', reason: messageOf(error), disk: false, ...(rows && { rows }) };
}

function codeOf(thrown: unknown): number {
  const error = thrown instanceof RowNotTaken ? thrown.cause : thrown;
  return ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;
}

function isDiskFailure(error: unknown): boolean {
  return [DISK_FULL, IO_ERROR, CORRUPT, NOT_A_DATABASE].includes(codeOf(error));
}

function messageOf(error: unknown): string {
  return String((error as { message?: string } | null)?.message ?? error);
}
