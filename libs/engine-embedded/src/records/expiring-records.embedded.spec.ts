import { StoreUnavailable } from '@ports/event-store.port';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { EmbeddedExpiringRecords } from './expiring-records.embedded.js';
import { PendingRecords } from './pending-records.js';
import type { StoredRecords } from './stored-records.js';
import type { WriteAnswer, WriteRequest } from '../writer/requests.js';
import type { WriteQueue } from '../writer/write-queue.js';

const FULL: WriteAnswer = { refused: 'not-stored', reason: 'database or disk is full', disk: true };

type Sent = { readonly request: WriteRequest; readonly answered: (answer: WriteAnswer) => void };

/** A disk that answers on request, and stores nothing while full. */
class Disk {
  full = false;
  closed = false;
  readonly sent: Sent[] = [];
  readonly file = new Map<string, ExpiringRecord>();
  readonly stored = { get: (key: string) => this.file.get(key) ?? null, empty: false } as unknown as StoredRecords;

  constructor(private readonly byItself: boolean) {}

  send(request: WriteRequest, answered: (answer: WriteAnswer) => void): void {
    const place = this.sent.push({ request, answered }) - 1;
    if (this.byItself) setImmediate(() => this.answer(place));
  }

  answer(place: number): void {
    const { request, answered } = this.sent[place]!;
    if (this.full) return answered(FULL);
    if (request.kind === 'put-record') {
      const { key, value, version, expiresAt } = request;
      this.file.set(key, { value, version, expiresAt });
    }
    if (request.kind === 'remove-record') this.file.delete(request.key);
    answered(null);
  }
}

const recordsOn = (disk: Disk, clock: FakeClock) =>
  new EmbeddedExpiringRecords(new PendingRecords(disk as unknown as WriteQueue, disk.stored, clock, 1));

describe('a record on its way to the disk', () => {
  it('is seen by everybody in the process, and its creation resolves once the disk has it', async () => {
    const [disk, clock] = [new Disk(false), new FakeClock()];
    const records = recordsOn(disk, clock);
    let isCreated = false;
    const creation = records.create('k', 'claim', clock.now() + 60_000).then(() => (isCreated = true));
    await settle();
    expect(await records.get('k')).toMatchObject({ value: 'claim' });
    expect(isCreated).toBe(false);
    disk.answer(0);
    await creation;
  });

  it('stays what it was replaced by when the disk has only what it was before', async () => {
    const [disk, clock] = [new Disk(false), new FakeClock()];
    const records = recordsOn(disk, clock);
    void records.create('k', 'claim', clock.now() + 60_000);
    const replaced = records.replace('k', (await records.get('k'))!.version, 'answer', clock.now() + 60_000);
    disk.answer(0);
    expect(await records.get('k')).toMatchObject({ value: 'answer' });
    disk.answer(1);
    expect(await replaced).toMatchObject({ value: 'answer' });
  });
});

describe('removals on their way to the disk', () => {
  it('are told apart: one that is answered does not stand for a later one of the same key', async () => {
    const [disk, clock] = [new Disk(false), new FakeClock()];
    const records = recordsOn(disk, clock);
    for (const value of ['first', 'second']) {
      void records.create('k', value, clock.now() + 60_000);
      void records.remove('k', (await records.get('k'))!.version).catch(() => undefined);
    }
    for (const place of [0, 1]) disk.answer(place);
    expect(await records.get('k')).toBeNull();
    disk.answer(2);
    disk.full = true;
    disk.answer(3);
    expect(await records.get('k')).toBeNull();
    await clock.advance(500);
    expect(disk.sent.at(4)?.request).toEqual({ kind: 'remove-record', key: 'k' });
  });
});

describe('records that the disk refuses', () => {
  let disk: Disk;
  let clock: FakeClock;
  let records: EmbeddedExpiringRecords;
  const later = () => clock.now() + 60_000;

  beforeEach(() => {
    disk = new Disk(true);
    clock = new FakeClock();
    records = recordsOn(disk, clock);
  });

  const refused = (key: string, value: string, expiresAt = later()) =>
    expect(records.create(key, value, expiresAt)).rejects.toBeInstanceOf(StoreUnavailable);

  async function whileFull(act: () => Promise<unknown>): Promise<void> {
    disk.full = true;
    await act();
    await settle();
    await settle();
  }

  it('are there all the same: the key stays taken, and its record is written as soon as there is room', async () => {
    await whileFull(() => refused('k', 'mine'));
    expect(await records.create('k', 'yours', later())).toMatchObject({ created: false, record: { value: 'mine' } });
    await clock.advance(2_000);
    expect(disk.file.size).toBe(0);
    disk.full = false;
    await clock.advance(500);
    await settle();
    expect(disk.file.get('k')).toMatchObject({ value: 'mine' });
  });

  it('can be replaced by who created them, whose record is the one that is written', async () => {
    await whileFull(() => refused('k', 'claim'));
    disk.full = false;
    expect(await records.replace('k', (await records.get('k'))!.version, 'answer', later())).toMatchObject({ value: 'answer' });
    await clock.advance(2_000);
    expect(disk.file.get('k')).toMatchObject({ value: 'answer' });
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
    expect(disk.file.get('k')).toMatchObject({ value: 'answer' });
  });

  it('are given up when too many more are refused, the oldest first', async () => {
    await whileFull(async () => {
      const all = Array.from({ length: 10_001 }, (_, n) => records.create(`k${n}`, 'mine', later()));
      expect((await Promise.allSettled(all)).every(({ status }) => status === 'rejected')).toBe(true);
    });
    expect([await records.get('k0'), (await records.get('k1'))?.value]).toEqual([null, 'mine']);
  });

  it('leave nothing of what they replaced when they expire before the disk takes them', async () => {
    const { record } = await records.create('k', 'old', later());
    await settle();
    await whileFull(() => records.replace('k', record.version, 'new', clock.now() + 100).catch(() => undefined));
    await clock.advance(200);
    expect([await records.get('k'), disk.file.get('k')?.value]).toEqual([null, 'old']);
    disk.full = false;
    await clock.advance(500);
    await settle();
    expect([await records.get('k'), disk.file.size]).toEqual([null, 0]);
  });

  it('are given up when they expire', async () => {
    await whileFull(() => refused('k', 'mine', clock.now() + 100));
    disk.full = false;
    await clock.advance(500);
    await settle();
    expect([await records.get('k'), disk.file.size]).toEqual([null, 0]);
  });
});
