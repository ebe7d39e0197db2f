import type { Condition, StoredRow } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPorts, openEmbeddedEngine } from './open-embedded-engine.js';
import { positionOf } from './position.js';

/** So many that no index makes the page of a list short work. */
const MANY = 5_000;
const FIVE_LARGE_OPEN_ONES: { order: 'desc'; limit: number; filter: Condition[][] } = {
  ...{ order: 'desc', limit: 5 },
  filter: [
    [
      { field: 'status', op: 'eq', value: 'open' },
      { field: 'size', op: 'gte', value: 5 },
    ],
  ],
};

let directory: string;
let ports: EmbeddedPorts;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'read-models-'));
  ports = await openEmbeddedEngine(directory, new FakeClock());
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true });
});

function rowsOf(from: number, count: number, status: string, size: number): StoredRow[] {
  return Array.from({ length: count }, (_, n) => ({
    ...{ id: `n${from + n}`, projectId: 'p', createdAt: from + n, sortId: positionOf(from + n), position: positionOf(1) },
    ...{ deleted: false, row: { status, size } },
  }));
}

/** Whoever asks for five large open ones of these has to be told by a walk that there are none. */
async function fill(name: string): Promise<void> {
  await ports.readModels.define({ name, version: 1, filterFields: ['status', 'size'], dueFields: [] });
  await ports.readModels.apply(name, rowsOf(0, MANY, 'open', 1), positionOf(1));
  await ports.readModels.apply(name, rowsOf(MANY, MANY, 'done', 9), positionOf(2));
}
const list = (name: string) => ports.readModels.list(name, { projectId: 'p', ...FIVE_LARGE_OPEN_ONES });

describe('a long walk', () => {
  it('waits for none through other rows of its project', async () => {
    await fill('notes');
    await fill('letters');
    const walked: string[] = [];
    const lists = Array.from({ length: 200 }, () => list('notes').then(() => walked.push('notes')));
    await list('letters').then(() => walked.push('letters'));
    await Promise.all(lists);
    expect(walked.indexOf('letters')).toBeLessThan(5);
  });
});
