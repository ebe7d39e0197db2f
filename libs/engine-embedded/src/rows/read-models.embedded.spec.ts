import { KeyedQueue } from '@kit/keyed-queue';
import { StoreUnavailable } from '@ports/event-store.port';
import type { Condition, StoredRow } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPorts, openEmbeddedEngine } from '../open-embedded-engine.js';
import { positionOf } from '../events/position.js';
import { WriteQueue } from '../writer/write-queue.js';

/** With so many matches each, two fields are searched by a walk. */
const MANY = 5_000;
const FIVE_LARGE_OPEN_ONES: { order: 'desc'; limit: number; filter: Condition[][] } = {
  order: 'desc',
  limit: 5,
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
    id: `n${from + n}`,
    projectId: 'p',
    createdAt: from + n,
    sortId: positionOf(from + n),
    position: positionOf(1),
    deleted: false,
    row: { status, size },
  }));
}

async function fill(name: string, ...rows: readonly StoredRow[][]): Promise<void> {
  await ports.readModels.define({ name, version: 1, filterFields: ['status', 'size'], dueFields: [] });
  for (const [index, some] of rows.entries()) await ports.readModels.apply(name, some, positionOf(index + 1));
}
const list = (name: string) => ports.readModels.list(name, { projectId: 'p', ...FIVE_LARGE_OPEN_ONES });

describe('a long walk', () => {
  it('waits for none through other rows of its project', async () => {
    for (const name of ['notes', 'letters']) await fill(name, rowsOf(0, MANY, 'open', 9));
    const walked: string[] = [];
    const lists = Array.from({ length: 200 }, () => list('notes').then(() => walked.push('notes')));
    await list('letters').then(() => walked.push('letters'));
    await Promise.all(lists);
    expect(walked.indexOf('letters')).toBeLessThan(5);
  });

  it('is refused where two hundred of its project wait already', async () => {
    await fill('notes', rowsOf(0, MANY, 'open', 9));
    const lists = Array.from({ length: 201 }, () => list('notes'));
    await expect(list('notes')).rejects.toBeInstanceOf(StoreUnavailable);
    expect((await Promise.all(lists)).map((listed) => listed.length)).toEqual(Array(201).fill(5));
  });

  it('begins anew where other rows took the place of those that it went through', async () => {
    await fill('notes', rowsOf(0, MANY, 'open', 1), rowsOf(MANY, MANY, 'done', 9));
    let switched = false;
    const walks = Array.from({ length: 100 }, async () => {
      const listed = await list('notes');
      return switched ? listed.map(({ createdAt }) => createdAt) : null;
    });
    const rebuild = await ports.readModels.rebuild('notes');
    await rebuild.apply(rowsOf(0, 3, 'open', 9), positionOf(3));
    await rebuild.switchOver();
    switched = true;
    const found = (await Promise.all(walks)).filter((numbers) => numbers !== null);
    expect(found.length).toBeGreaterThan(1);
    for (const numbers of found) expect(numbers).toEqual([2, 1, 0]);
  });

  it('begins anew also where they took it just as it was at its end', async () => {
    await fill('notes', rowsOf(0, MANY, 'open', 9));
    jest.spyOn(KeyedQueue.prototype, 'run').mockImplementationOnce(async (_, walk) => {
      const found = await walk();
      const rebuild = await ports.readModels.rebuild('notes');
      await rebuild.apply(rowsOf(0, 3, 'open', 9), positionOf(2));
      await rebuild.switchOver();
      return found;
    });
    expect((await list('notes')).map(({ createdAt }) => createdAt)).toEqual([2, 1, 0]);
    jest.restoreAllMocks();
  });
});

describe('a rebuild that the disk refuses', () => {
  beforeEach(() => fill('notes', rowsOf(0, 3, 'open', 9)));
  afterEach(() => jest.restoreAllMocks());

  const refuse = () => jest.spyOn(WriteQueue.prototype, 'ask').mockRejectedValueOnce(new StoreUnavailable('the disk is full'));

  it('is none where it cannot begin', async () => {
    refuse();
    await expect(ports.readModels.rebuild('notes')).rejects.toThrow('the disk is full');
    expect(await ports.readModels.isRebuilding('notes')).toBe(false);
  });

  it('can do nothing any more where it cannot even be abandoned', async () => {
    const rebuild = await ports.readModels.rebuild('notes');
    refuse();
    await expect(rebuild.abandon()).rejects.toThrow('the disk is full');
    expect(await ports.readModels.isRebuilding('notes')).toBe(false);
    await expect(rebuild.apply(rowsOf(0, 1, 'open', 1), positionOf(1))).rejects.toThrow('has ended');
    await expect(rebuild.switchOver()).rejects.toThrow('has ended');
    expect(await list('notes')).toHaveLength(3);
  });
});
