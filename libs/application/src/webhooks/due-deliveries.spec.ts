import { getEventListeners } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import { pause } from '@ports/clock.port';
import type { PageQuery, StoredRow } from '@ports/read-models.port';
import { FakeClock, settle } from '@testing/fake-clock';
import type { FreshRows } from '../read-models/fresh-rows.js';
import { deliveriesProjection } from './deliveries.projection.js';
import type { DeliveryPointer } from './delivery-pointer.js';
import { DueDeliveries } from './due-deliveries.js';

let directory: string;
let ports: EmbeddedPorts;
let clock: FakeClock;
let found: DueDeliveries;
/** Scheduled, but not in the rows until a reader waits for them. */
let lagging: StoredRow[];
/** How long it takes until the rows show it. */
let lagMs: number;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'due-'));
  clock = new FakeClock();
  ports = await openEmbeddedEngine(directory, clock);
  await ports.readModels.define(deliveriesProjection.schema);
  lagging = [];
  lagMs = 0;
  const caughtUp = async (_projection: unknown, withinMs = 2_000) => {
    if (lagMs > 0) await pause(clock, Math.min(lagMs, withinMs));
    if (lagMs > withinMs) return false;
    const rows = lagging.splice(0);
    if (rows.length > 0) await ports.readModels.apply('deliveries', rows, rows.at(-1)!.position);
    return true;
  };
  found = new DueDeliveries(ports.readModels, { caughtUp } as unknown as FreshRows, clock);
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true, force: true });
});

const NEVER = new AbortController().signal;
const POINTER = { projectId: 'p', endpointId: 'we_1' } as DeliveryPointer;
const place = (n: number) => String(n).padStart(20, '0');

/** The n-th delivery of all, due so many milliseconds from now. */
function scheduled(n: number, dueIn: number, changes: object = {}, projectId = 'p'): void {
  const wakeAt = clock.now() + dueIn;
  const due = { wakeAt, lostAt: wakeAt, claimedAt: null, retireAt: null };
  const row = {
    endpointId: 'we_1',
    waitsFor: 'we_1',
    eventId: `evt_${n}`,
    status: 'pending',
    attemptCount: 0,
    ...due,
    ...changes,
  };
  lagging.push({ id: `whd_${n}`, projectId, createdAt: n, sortId: place(n), position: place(n), deleted: false, row });
}

function scheduledOfEveryKind(): void {
  scheduled(1, -20);
  scheduled(2, 1);
  scheduled(3, -10, { endpointId: 'we_2', waitsFor: 'we_2' });
  scheduled(4, -10, {}, 'q');
  scheduled(5, -10, { status: 'delivering', waitsFor: null });
  scheduled(6, 0, { status: 'retrying' });
  scheduled(7, -30);
}

/** How many rows a query may visit, whichever condition finds them. */
async function mostMet({ filter, ...query }: PageQuery): Promise<number> {
  const ways = filter
    .flat()
    .map((condition) => ports.readModels.page('deliveries', { ...query, filter: [[condition]], limit: 999 }));
  return Math.max(...(await Promise.all(ways)).map(({ length }) => length));
}

const ids = (pointers: readonly DeliveryPointer[]) => pointers.map(({ deliveryId }) => deliveryId);

describe('deliveries', () => {
  it('that are due for an endpoint are found, those that were scheduled last too, oldest first', async () => {
    scheduledOfEveryKind();
    expect(ids(await found.dueFor(POINTER, 10))).toEqual(['whd_1', 'whd_6', 'whd_7']);
    expect(ids(await found.dueFor(POINTER, 2))).toEqual(['whd_1', 'whd_6']);
  });

  it('that wait for an endpoint are found, due or not, as far as they were scheduled before a place of the log', async () => {
    scheduledOfEveryKind();
    expect(ids(await found.waitingFor(POINTER, place(7), 10, NEVER))).toEqual(['whd_1', 'whd_2', 'whd_6']);
    expect(ids(await found.waitingFor(POINTER, place(8), 3, NEVER))).toEqual(['whd_1', 'whd_2', 'whd_6']);
  });

  it('are not looked for in rows that stay behind: most of what these show is made already', async () => {
    scheduledOfEveryKind();
    lagMs = 120_001;
    const asked = Promise.allSettled([found.dueFor(POINTER, 10), found.waitingFor(POINTER, place(7), 10, NEVER)]);
    await clock.advance(120_000);
    const late = { status: 'rejected', reason: new Error('deliveries are late') };
    expect(await asked).toEqual([late, late]);
  });

  it('are waited for though rows are a minute late', async () => {
    lagMs = 60_000;
    scheduled(1, -1);
    const shown = found.areFreshAtLast(NEVER);
    const due = found.dueFor(POINTER, 10);
    await clock.advance(60_000);
    expect([await shown, ids(await due)]).toEqual([true, ['whd_1']]);
  });

  it('are not waited for once the process is to end', async () => {
    lagMs = 120_001;
    const end = new AbortController();
    const shown = found.areFreshAtLast(end.signal);
    end.abort();
    expect(await shown).toBe(false);
    expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  });

  it('that are shown in time leave nobody waiting', async () => {
    const before = clock.pending;
    for (let time = 0; time < 3; time++) expect(await found.areFreshAtLast(NEVER)).toBe(true);
    await settle();
    expect(clock.pending).toBe(before);
    expect(getEventListeners(NEVER, 'abort')).toHaveLength(1);
  });

  it('that are finished are not passed on the way to those that wait, however many they are', async () => {
    for (let n = 1; n <= 50; n++) scheduled(n, 0, { status: 'succeeded', waitsFor: null, wakeAt: null });
    for (let n = 51; n <= 53; n++) scheduled(n, -1);
    const page = jest.spyOn(ports.readModels, 'page');
    expect(await found.dueFor(POINTER, 10)).toHaveLength(3);
    expect(await found.waitingFor(POINTER, place(99), 10, NEVER)).toHaveLength(3);
    const queries = page.mock.calls.map(([, query]) => query);
    expect(await Promise.all(queries.map(mostMet))).toEqual([3, 3]);
  });
});
