import { START } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';
import { type Database, connect } from '../database.js';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storedHead } from '../events/event-writes.js';
import type { AppendRequest, DefineAnswer, RowValues, WriteRequest } from './requests.js';
import { openForWriting, storeFile } from './store-file.js';
import { StoreWriter } from './store-writer.js';

describe('the writer', () => {
  let directory: string;
  let writer: StoreWriter;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'writer-'));
    writer = new StoreWriter(openForWriting(storeFile(directory)));
    writer.open();
  });

  afterEach(() => {
    writer.close();
    rmSync(directory, { recursive: true });
  });

  const append = (stream: string, expected: number, size = 10): AppendRequest => ({
    kind: 'append',
    stream,
    expected,
    ids: [`${stream} ${expected + 1}`],
    bodies: [JSON.stringify({ type: 'Noted', at: 1, text: 'x'.repeat(size) })],
    metadata: [null],
  });
  const pragma = (name: string): unknown => (writer.db.prepare(`PRAGMA ${name}`).get() as unknown[])[0];
  const readElsewhere = (sql: string): unknown => {
    const other = connect(storeFile(directory), { busyMs: 0, readOnly: true });
    const rows = other.prepare(sql).all();
    other.close();
    return rows;
  };

  function defined(schema: CollectionSchema): number {
    const [answer] = writer.commit([{ kind: 'define', head: START, schema }]) as readonly DefineAnswer[];
    return answer!.generation;
  }

  it('syncs every commit and leaves checkpoints to quiet moments', () => {
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('wal_autocheckpoint')).toBe(0);
  });

  it('answers only after the commit: another connection sees what was answered', () => {
    expect(writer.commit([append('note-1', -1), append('note-1', 0), append('note-2', -1)])).toEqual([1, 2, 3]);
    expect(writer.db.isTransaction).toBe(false);
    expect(readElsewhere('SELECT count(*) FROM events')).toEqual([[3]]);
  });

  it('writes one transaction for a whole batch', () => {
    const before = writer.unsavedBytes;
    writer.commit(Array.from({ length: 50 }, (_, index) => append(`note-${index}`, -1)));
    const together = writer.unsavedBytes - before;
    for (let index = 0; index < 50; index += 1) writer.commit([append(`other-${index}`, -1)]);
    expect(writer.unsavedBytes - before - together).toBeGreaterThan(together * 5);
  });

  it('says of a request whose row the database does not take that its rows are to blame, and does the others', () => {
    const schema = { name: 'notes', version: 1, filterFields: [], dueFields: [] };
    const generation = defined(schema);
    const sound = ['a', 'p', 1, '1', '1', 0, null, '{}'];
    const apply = (row: unknown[]) =>
      ({ kind: 'apply', collection: 'notes', generation, rows: [row as RowValues], shared: [], checkpoint: '1' }) as const;
    const [taken, refused, missing] = writer.commit([
      apply(sound),
      apply(sound.with(0, 'b').with(7, {} as string)),
      { ...apply(sound), collection: 'nowhere' },
    ]);
    expect(taken).toBe(true);
    expect(refused).toMatchObject({ refused: 'not-stored', disk: false, rows: true });
    expect(missing).toMatchObject({ refused: 'not-stored', disk: false });
    expect(missing).not.toHaveProperty('rows');
  });

  it('checks each append against what came before it in the same batch', () => {
    const answers = writer.commit([append('note-1', -1), append('note-1', -1, 11), append('note-1', 0), append('note-2', 3)]);
    expect(answers).toEqual([1, 1, 2, { movedOn: -1 }]);
  });

  it('knows what streams were there before it opened: begun again they have moved on, unless it is the same append', () => {
    writer.commit([append('note-1', -1), append('note-1', 0), append('note-2', -1), { kind: 'retire', stream: 'note-2' }]);
    const next = new StoreWriter(writer.db);
    const other = { ...append('note-1', -1), ids: ['another'] };
    expect(next.commit([other, append('note-1', -1), append('note-2', -1), append('note-3', -1)])).toEqual([
      { movedOn: 1 },
      1,
      { movedOn: null },
      4,
    ]);
  });

  it('refuses a request it cannot carry out without harm to its neighbours', () => {
    const unknown: WriteRequest = { kind: 'apply', collection: 'nowhere', generation: 1, rows: [], shared: [], checkpoint: '1' };
    const answers = writer.commit([append('note-1', -1), unknown, append('note-1', 0)]);
    expect(answers).toMatchObject([1, { refused: 'not-stored', disk: false }, 2]);
    expect(readElsewhere('SELECT position, revision FROM events')).toEqual([
      [1, 0],
      [2, 1],
    ]);
  });

  it('acknowledges nothing on a full disk, and goes on when there is room again', () => {
    writer.commit([append('note-1', -1)]);
    writer.db.exec(`PRAGMA max_page_count = ${Number(pragma('page_count')) + 3}`);
    const [first, second] = writer.commit([append('note-1', 0, 50_000), append('note-2', -1)]);
    expect([first, second]).toMatchObject([
      { refused: 'not-stored', disk: true },
      { refused: 'not-stored', disk: true },
    ]);
    expect(readElsewhere('SELECT count(*) FROM events')).toEqual([[1]]);
    writer.db.exec('PRAGMA max_page_count = 100000');
    expect(writer.commit([append('note-1', 0, 50_000)])).toEqual([2]);
  });

  it('blames a full disk, not the rows, when there is no room for them', () => {
    const schema = { name: 'notes', version: 1, filterFields: [], dueFields: [] };
    const generation = defined(schema);
    writer.db.exec(`PRAGMA max_page_count = ${Number(pragma('page_count'))}`);
    const row: RowValues = ['a', 'p', 1, '1', '1', 0, null, 'x'.repeat(50_000)];
    const apply = { kind: 'apply', collection: 'notes', generation, rows: [row], shared: [], checkpoint: '1' } as const;
    expect(writer.commit([apply])).toEqual([{ refused: 'not-stored', reason: expect.any(String), disk: true }]);
    writer.db.exec('PRAGMA max_page_count = 100000');
    expect(writer.commit([apply])).toEqual([true]);
  });

  const IO_ERROR = { errcode: 1034, message: 'disk I/O error' };
  const CORRUPT = { errcode: 11, message: 'database disk image is malformed' };
  const ON_COMMIT = ['COMMIT'];
  const ON_ANYTHING = ['BEGIN IMMEDIATE', 'ROLLBACK', 'COMMIT'];

  it.each([
    ['sync', ON_COMMIT, 'unknown'],
    ['do anything', ON_ANYTHING, 'not-stored'],
  ] as const)('acknowledges nothing while the disk cannot %s, and goes on when it can again', (_, statements, refused) => {
    let failing: readonly string[] = statements;
    const faulty = new StoreWriter(failingIn(writer.db, () => failing, IO_ERROR));
    for (const stream of ['note-1', 'note-2']) {
      expect(faulty.commit([append(stream, -1)])).toEqual([{ refused, reason: IO_ERROR.message, disk: true }]);
    }
    failing = [];
    expect(faulty.commit([append('note-3', -1), append('note-1', -1)])).toEqual([1, 2]);
    expect(readElsewhere('SELECT name FROM streams JOIN events ON stream = streams.id')).toEqual([['note-3'], ['note-1']]);
  });

  it('goes on after a roll-back that failed', () => {
    let failing: readonly string[] = ['COMMIT', 'ROLLBACK'];
    const faulty = new StoreWriter(failingIn(writer.db, () => failing, IO_ERROR));
    expect(faulty.commit([append('note-1', -1)])).toMatchObject([{ refused: 'unknown', disk: true }]);
    failing = [];
    expect(faulty.commit([append('note-2', -1)])).toEqual([1]);
    expect(readElsewhere('SELECT name FROM streams')).toEqual([['note-2']]);
  });

  it('takes nothing any more once it has found the file damaged', () => {
    let failing: readonly string[] = ON_COMMIT;
    const faulty = new StoreWriter(failingIn(writer.db, () => failing, CORRUPT));
    const damaged = { reason: CORRUPT.message, disk: true, damaged: true };
    expect(faulty.commit([append('note-1', -1)])).toEqual([{ refused: 'unknown', ...damaged }]);
    failing = [];
    expect(faulty.commit([append('note-1', -1)])).toEqual([{ refused: 'not-stored', ...damaged }]);
  });

  it('never gives a position twice, not even of a retired newest event', () => {
    writer.commit([append('note-1', -1), append('note-2', -1)]);
    writer.commit([{ kind: 'retire', stream: 'note-2' }]);
    writer.close();
    writer = new StoreWriter(openForWriting(storeFile(directory)));
    expect(storedHead(writer.db)).toBe(2);
    expect(writer.commit([append('note-3', -1)])).toEqual([3]);
    expect(writer.commit([append('note-2', 0)])).toEqual([{ movedOn: null }]);
  });

  it('purges records to the millisecond when they have expired, and says whether more may have', () => {
    const record = (key: string, expiresAt: number) =>
      ({ kind: 'put-record', key, value: 'v', version: '1', expiresAt }) as const;
    const purge = { kind: 'purge-records', now: 1000 } as const;
    writer.commit([record('before', 999), record('replaced', 999), record('at', 1000), record('after', 1001)]);
    writer.commit([record('replaced', 1001)]);
    expect(writer.commit([purge])).toEqual([false]);
    expect(readElsewhere('SELECT key FROM expiring_records ORDER BY key')).toEqual([['after'], ['replaced']]);
    writer.commit(Array.from({ length: 501 }, (_, index) => record(`many ${index}`, index)));
    expect(writer.commit([purge, purge])).toEqual([true, false]);
    expect(readElsewhere('SELECT count(*) FROM expiring_records')).toEqual([[2]]);
  });

  it('never moves back what a group has consumed', () => {
    writer.commit([{ kind: 'declare', topics: [['notes', 1]] }]);
    writer.commit([{ kind: 'join', group: 'readers', topic: 1 }]);
    const consumed = (next: number) => ({ kind: 'consumed', group: 'readers', topic: 1, partition: 0, next }) as const;
    writer.commit([consumed(2), consumed(1)]);
    expect(readElsewhere('SELECT next FROM offsets')).toEqual([[2]]);
  });

  it('never moves back how far rows are, live or being rebuilt', () => {
    const schema = { name: 'notes', version: 1, filterFields: [], dueFields: [] };
    const apply = (generation: number, checkpoint: string) =>
      ({ kind: 'apply', collection: 'notes', generation, rows: [], shared: [], checkpoint }) as const;
    const live = defined(schema);
    const [building] = writer.commit([{ kind: 'rebuild', collection: 'notes' }]) as DefineAnswer[];
    for (const generation of [live, building!.generation]) writer.commit([apply(generation, '5'), apply(generation, '4')]);
    expect(readElsewhere('SELECT checkpoint, building_checkpoint FROM collections')).toEqual([['5', '5']]);
  });

  it('leaves an empty log behind when it closes', () => {
    writer.commit([append('note-1', -1)]);
    expect(writer.unsavedBytes).toBeGreaterThan(0);
    writer.checkpoint('TRUNCATE');
    expect(writer.unsavedBytes).toBe(0);
  });
});

/** The same connection on a disk that fails for these statements. */
function failingIn(db: Database, statements: () => readonly string[], failure: { errcode: number; message: string }): Database {
  return new Proxy(db, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (statements().includes(args[0] as string)) throw Object.assign(new Error(failure.message), failure);
        return (member as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}
