import type { InstanceRegistry } from '../../instances/instance-registry.js';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { HostNotes } from './host-notes.js';
import { HostRecord, type ColumnsByName } from './host-record.js';

const DAY_MS = 24 * 3_600_000;
const column = { name: 'id', type: 'text', unit: null, meaning: 'Names the row.', personal: false } as const;
const instances = { id: 'p_1', role: 'projections' } as unknown as InstanceRegistry;

let clock: FakeClock;
let records: FakeExpiringRecords;
let record: HostRecord;
let ends: AbortController;
beforeEach(() => {
  [clock, ends] = [new FakeClock(), new AbortController()];
  records = new FakeExpiringRecords(clock);
  record = new HostRecord(records, clock, instances);
});

async function host(columns: ColumnsByName) {
  const hosted = [{ name: 'songs', version: 1, lastProgressAt: 0, skipped: 0, restarts: 0 }];
  const noted = { holder: 'this process', columns, hosted: () => hosted };
  const running = new HostNotes(record, instances, clock).run('host', noted, ends.signal);
  await settle();
  return running;
}

describe('the notes of the process that runs the projections', () => {
  it('tell the columns of what it runs, to a process that knows nothing of it', async () => {
    void host({ songs: [column] });
    await settle();
    const reader = new HostRecord(records, clock, instances);
    expect(await reader.columns('host')).toEqual({ songs: [column] });
    expect(await reader.read()).toMatchObject({ host: { process: { id: 'p_1' }, projections: [{ name: 'songs' }] } });
    ends.abort();
  });

  it('keep telling them, however long nothing changes', async () => {
    void host({ songs: [column] });
    await settle();
    const until = async () => (await records.get('projection-columns'))?.expiresAt;
    const first = await until();
    await clock.advance(DAY_MS + 5_000);
    expect(await until()).toBe(first! + DAY_MS);
    ends.abort();
  });

  it('replace those of the process before it', async () => {
    await record.describe('host', { songs: [], tunes: [] });
    void host({ songs: [column] });
    await settle();
    expect(await record.columns('host')).toEqual({ songs: [column] });
    ends.abort();
  });

  it('are none before a process has written any', async () => {
    expect(await record.columns('host')).toEqual({});
  });
});
