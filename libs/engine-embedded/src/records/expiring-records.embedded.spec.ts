import { StoreUnavailable } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { EmbeddedExpiringRecords } from './expiring-records.embedded.js';
import type { StoredRecords } from './stored-records.js';
import type { WriteAnswer, WriteRequest } from '../writer/requests.js';
import type { WriteQueue } from '../writer/write-queue.js';

const FULL: WriteAnswer = { refused: 'not-stored', reason: 'database or disk is full', disk: true };

let rows = 0;
const NOTHING_STORED = {
  ...{ get: () => null, announce: () => ({ row: (rows += 1), isNew: true }), stored: () => undefined, behind: 0, empty: false },
  ...{ forIndex: () => ({ hashes: [], rows: [], keys: [], renewed: [], superseded: [], upTo: 0 }), indexed: () => undefined },
} as unknown as StoredRecords;

/** A disk that takes nothing while it is full. */
class Disk {
  full = false;
  readonly file = new Map<string, string>();
  closed = false;
  readonly sendAlong = this.send.bind(this);

  send(request: WriteRequest, answered: (answer: WriteAnswer) => void): void {
    setImmediate(() => {
      if (this.full) return answered(FULL);
      if (request.kind === 'put-record' && request.value !== null) this.file.set(request.key, request.value);
      if (request.kind === 'put-record' && request.value === null) this.file.delete(request.key);
      answered(null);
    });
  }
}

describe('a record on its way to the disk', () => {
  it('stays what it was replaced by when the disk has only what it was before', async () => {
    const answers: (() => void)[] = [];
    const send = (_: WriteRequest, answered: (answer: WriteAnswer) => void) => answers.push(() => answered(null));
    const disk = { send, sendAlong: send };
    const clock = new FakeClock();
    const records = new EmbeddedExpiringRecords(disk as unknown as WriteQueue, NOTHING_STORED, clock, 1);
    const { record } = await records.create('k', 'claim', clock.now() + 60_000);
    const replaced = records.replace('k', record.version, 'answer', clock.now() + 60_000);
    answers[0]?.();
    expect(await records.get('k')).toMatchObject({ value: 'answer' });
    answers[1]?.();
    expect(await replaced).toMatchObject({ value: 'answer' });
  });
});

describe('removals on their way to the disk', () => {
  it('are told apart: one that is answered does not stand for a later one of the same key', async () => {
    const sent: { readonly request: WriteRequest; readonly answered: (answer: WriteAnswer) => void }[] = [];
    const send = (request: WriteRequest, answered: (answer: WriteAnswer) => void) => sent.push({ request, answered });
    const disk = { closed: false, send, sendAlong: send };
    const clock = new FakeClock();
    const records = new EmbeddedExpiringRecords(disk as unknown as WriteQueue, NOTHING_STORED, clock, 1);
    for (const value of ['first', 'second']) {
      const { record } = await records.create('k', value, clock.now() + 60_000);
      void records.remove('k', record.version).catch(() => undefined);
    }
    for (const { answered } of sent.slice(0, 2)) answered(null);
    expect(await records.get('k')).toBeNull();
    sent[2]?.answered(null);
    sent[3]?.answered(FULL);
    expect(await records.get('k')).toBeNull();
    await clock.advance(500);
    expect(sent.at(4)?.request).toMatchObject({ kind: 'put-record', key: 'k', value: null });
  });
});

describe('records that the disk refuses', () => {
  let disk: Disk;
  let clock: FakeClock;
  let records: EmbeddedExpiringRecords;
  const later = () => clock.now() + 60_000;

  beforeEach(() => {
    disk = new Disk();
    clock = new FakeClock();
    records = new EmbeddedExpiringRecords(disk as unknown as WriteQueue, NOTHING_STORED, clock, 1);
  });

  async function whileFull(act: () => Promise<unknown>): Promise<void> {
    disk.full = true;
    await act();
    await settle();
    await settle();
  }

  it('are there all the same: the key stays taken, and its record is written as soon as there is room', async () => {
    await whileFull(() => records.create('k', 'mine', later()));
    expect(await records.create('k', 'yours', later())).toMatchObject({ created: false, record: { value: 'mine' } });
    await clock.advance(2_000);
    expect(disk.file.size).toBe(0);
    disk.full = false;
    await clock.advance(500);
    await settle();
    expect(disk.file.get('k')).toBe('mine');
  });

  it('can be replaced by who created them, whose record is the one that is written', async () => {
    let version = '';
    await whileFull(async () => ({ version } = (await records.create('k', 'claim', later())).record));
    disk.full = false;
    expect(await records.replace('k', version, 'answer', later())).toMatchObject({ value: 'answer' });
    await clock.advance(2_000);
    expect(disk.file.get('k')).toBe('answer');
  });

  it('keep what they were replaced by, though whoever replaced them was told that the disk refused', async () => {
    const { record } = await records.create('k', 'claim', later());
    await settle();
    await whileFull(() =>
      expect(records.replace('k', record.version, 'answer', later())).rejects.toBeInstanceOf(StoreUnavailable),
    );
    expect(await records.get('k')).toMatchObject({ value: 'answer' });
    disk.full = false;
    await clock.advance(500);
    await settle();
    expect(disk.file.get('k')).toBe('answer');
  });

  it('are given up when too many more are refused, the oldest first', async () => {
    await whileFull(async () => {
      for (let n = 0; n <= 10_000; n += 1) await records.create(`k${n}`, 'mine', later());
    });
    expect([await records.get('k0'), (await records.get('k1'))?.value]).toEqual([null, 'mine']);
  });

  it('leave nothing of what they replaced when they expire before the disk takes them', async () => {
    const { record } = await records.create('k', 'old', later());
    await settle();
    await whileFull(() => records.replace('k', record.version, 'new', clock.now() + 100).catch(() => undefined));
    await clock.advance(200);
    expect([await records.get('k'), disk.file.get('k')]).toEqual([null, 'old']);
    disk.full = false;
    await clock.advance(500);
    await settle();
    expect([await records.get('k'), disk.file.size]).toEqual([null, 0]);
  });

  it('are given up when they expire', async () => {
    await whileFull(() => records.create('k', 'mine', clock.now() + 100));
    disk.full = false;
    await clock.advance(500);
    await settle();
    expect([await records.get('k'), disk.file.size]).toEqual([null, 0]);
  });
});
