import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryStatus } from '@domain/delivery/delivery';
import type { DeliveryTrigger } from '@domain/delivery/delivery.events';
import { openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import type { StoredRow } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { deliveriesProjection, endpointStatus } from '../deliveries.projection.js';
import { OldestPending } from './oldest-pending.js';

let directory: string;
let ports: EmbeddedPorts;
let oldest: OldestPending;
let rows: StoredRow[];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'oldest-'));
  ports = await openEmbeddedEngine(directory, new FakeClock());
  await ports.readModels.define(deliveriesProjection.schema);
  oldest = new OldestPending(ports.readModels);
  rows = [];
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Changes {
  readonly trigger?: DeliveryTrigger;
  readonly endpointId?: string;
  readonly projectId?: string;
}

/** A delivery that was scheduled at this time. */
function scheduled(createdAt: number, status: DeliveryStatus, changes: Changes = {}): void {
  const { trigger = 'event', endpointId = 'we_1', projectId = 'p' } = changes;
  const position = String(rows.length + 1).padStart(20, '0');
  const row = { endpointId, status, trigger, endpointStatus: endpointStatus(endpointId, status) };
  rows.push({ id: `whd_${rows.length}`, projectId, createdAt, sortId: position, position, deleted: false, row });
}

async function oldestOf(endpointId: string | null): Promise<number | null> {
  await ports.readModels.apply('deliveries', rows, rows.at(-1)!.position);
  return oldest.createdAt('p', endpointId);
}

describe('the oldest delivery that is open', () => {
  it.each(['pending', 'delivering', 'retrying'] as const)('may be %s', async (status) => {
    scheduled(10, 'succeeded');
    scheduled(20, 'failed');
    scheduled(30, 'cancelled');
    scheduled(40, status);
    scheduled(50, 'pending');
    expect([await oldestOf('we_1'), await oldestOf(null)]).toEqual([40, 40]);
  });

  it('is none where all are finished', async () => {
    scheduled(10, 'succeeded');
    expect([await oldestOf('we_1'), await oldestOf(null)]).toEqual([null, null]);
  });

  it("of an endpoint is not another endpoint's, and of a project not another project's", async () => {
    scheduled(10, 'pending', { projectId: 'q' });
    scheduled(20, 'retrying', { endpointId: 'we_2' });
    scheduled(30, 'pending');
    expect([await oldestOf('we_1'), await oldestOf('we_2'), await oldestOf('we_3'), await oldestOf(null)]).toEqual([
      30,
      20,
      null,
      20,
    ]);
  });

  it('is no test, however many of them are older', async () => {
    for (let at = 0; at < 40; at++) scheduled(at, 'retrying', { trigger: 'test' });
    expect(await oldestOf('we_1')).toBeNull();
    scheduled(40, 'retrying', { trigger: 'replay' });
    expect([await oldestOf('we_1'), await oldestOf(null)]).toEqual([40, 40]);
  });
});
