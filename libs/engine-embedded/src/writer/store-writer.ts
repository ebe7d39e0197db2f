import { randomUUID } from 'node:crypto';
import type { Database } from '../database.js';
import { EventWrites } from '../events/event-writes.js';
import { RecordWrites } from '../records/record-writes.js';
import { RowNotTaken, RowWrites } from '../rows/row-writes.js';
import { MessageWrites } from '../topics/message-writes.js';
import { isMarked, setMark } from './refuse-foreign-log.js';
import type { Refusal, WriteAnswer, WriteRequest, WriterOpened } from './requests.js';
import { type StoreTrouble, storeTrouble } from './store-trouble.js';

/** `wal_checkpoint`: whether it was blocked, and the frames in the log and in the file. */
type CheckpointAnswer = readonly [busy: number, logged: number, saved: number];

/** The only writer of the file. All requests of a batch share one transaction and one sync. */
export class StoreWriter {
  private readonly events: EventWrites;
  private readonly rows: RowWrites;
  private readonly records: RecordWrites;
  private readonly messages: MessageWrites;
  private readonly pageBytes: number;
  private broken: Omit<Refusal, 'refused'> | undefined;
  /** The whole log is in the file, so the next commit may begin a new one. */
  private isCheckpointed = false;
  /** A failed transaction must be rolled back before the next one. */
  private isUnclean = false;

  constructor(readonly db: Database) {
    this.events = new EventWrites(this.db);
    this.rows = new RowWrites(this.db);
    this.records = new RecordWrites(this.db);
    this.messages = new MessageWrites(this.db);
    [this.pageBytes] = this.db.prepare('PRAGMA page_size').get() as unknown as [number];
  }

  open(): WriterOpened {
    this.db.exec('BEGIN IMMEDIATE');
    const value = this.db.prepare('SELECT value FROM meta WHERE name = ?');
    const set = this.db.prepare('INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)');
    const read = (name: string) => (value.get(name) as unknown as [string | number] | undefined)?.[0];
    const identity = String(read('identity') ?? randomUUID());
    const opening = Number(read('opening') ?? 0) + 1;
    set.run('identity', identity);
    set.run('opening', opening);
    if (!isMarked(this.db)) setMark(this.db);
    const leftovers = this.rows.dropUnfinished();
    this.db.exec('COMMIT');
    return { identity, opening, leftovers };
  }

  /**
   * Carries out the requests in order and syncs once. A request that the database rejects is refused alone; if the disk fails, all are.
   * Damage of the file refuses every later request.
   */
  commit(requests: readonly WriteRequest[]): readonly WriteAnswer[] {
    if (this.broken !== undefined) return refuse(requests, 'not-stored', this.broken);
    let answers: readonly WriteAnswer[];
    try {
      if (this.isUnclean) this.cleanUp();
      this.db.exec('BEGIN IMMEDIATE');
      if (this.isCheckpointed) setMark(this.db);
      answers = requests.map((request) => this.perform(request));
    } catch (error) {
      this.rollBack();
      if (troubleOf(error)) return refuse(requests, 'not-stored', this.noteFailure(error));
      if (requests.length === 1) return [refusalOf(error)];
      return requests.flatMap((request) => this.commit([request]));
    }
    return this.finish(requests, answers);
  }

  checkpoint(mode: 'PASSIVE' | 'TRUNCATE' = 'PASSIVE'): void {
    try {
      const [, logged, saved] = this.db.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as unknown as CheckpointAnswer;
      this.isCheckpointed = logged === saved;
    } catch (error) {
      this.noteFailure(error);
    }
  }

  /** The part of the log not yet in the file. SQLite before 3.51 does not know NOOP and checkpoints instead. */
  get unsavedBytes(): number {
    try {
      const [, logged, saved] = this.db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as unknown as CheckpointAnswer;
      return (logged - saved) * this.pageBytes;
    } catch (error) {
      this.noteFailure(error);
      return 0;
    }
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
      case 'remove-record':
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

  /** A failed commit has an unknown outcome: after a crash it may be found stored. The next commit overwrites it, so it may follow. */
  private finish(requests: readonly WriteRequest[], answers: readonly WriteAnswer[]): readonly WriteAnswer[] {
    try {
      this.db.exec('COMMIT');
      this.isCheckpointed = false;
      return answers;
    } catch (error) {
      this.rollBack();
      return refuse(requests, 'unknown', this.noteFailure(error));
    }
  }

  /** A failing disk may recover; damage stays. */
  private noteFailure(error: unknown): Omit<Refusal, 'refused'> {
    const isDamaged = troubleOf(error) === 'damaged';
    const failure = { reason: messageOf(error), disk: true, ...(isDamaged && { damaged: true }) };
    if (isDamaged) this.broken = failure;
    return failure;
  }

  private rollBack(): void {
    this.isUnclean = true;
    try {
      this.cleanUp();
    } catch (error) {
      this.noteFailure(error);
    }
  }

  private cleanUp(): void {
    if (this.db.isTransaction) this.db.exec('ROLLBACK');
    this.events.forget();
    this.rows.forget();
    this.isUnclean = false;
  }
}

function refuse(
  requests: readonly WriteRequest[],
  refused: Refusal['refused'],
  failure: Omit<Refusal, 'refused'>,
): readonly Refusal[] {
  return requests.map(() => ({ refused, ...failure }));
}

function refusalOf(error: unknown): Refusal {
  const rows = error instanceof RowNotTaken;
  return { refused: 'not-stored', reason: messageOf(error), disk: false, ...(rows && { rows }) };
}

function troubleOf(thrown: unknown): StoreTrouble | undefined {
  return storeTrouble(thrown instanceof RowNotTaken ? thrown.cause : thrown);
}

function messageOf(error: unknown): string {
  return String((error as { message?: string } | null)?.message ?? error);
}
