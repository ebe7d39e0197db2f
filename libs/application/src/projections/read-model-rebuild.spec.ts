import { defaultMaxListeners, getEventListeners } from 'node:events';
import { WriteQueue } from '@engine-embedded/writer/write-queue';
import type { StoredRow } from '@ports/read-models.port';
import { settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld } from '@testing/notes-world';
import type { Projection } from '../read-models/projection.js';

describe('all read models at once', () => {
  const named = (name: string): Projection => ({ ...notesProjection, schema: { ...notesProjection.schema, name } }) as never;
  const projections = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8'].map(named);

  it('are built anew with fewer listeners on any signal than the runtime warns of', async () => {
    let most = 0;
    const add = jest.spyOn(AbortSignal.prototype, 'addEventListener');
    const original = EventTarget.prototype.addEventListener;
    add.mockImplementation(function (this: AbortSignal, ...listener: Parameters<EventTarget['addEventListener']>) {
      original.apply(this, listener);
      most = Math.max(most, getEventListeners(this, 'abort').length);
    });
    const world = await NotesWorld.hosting({ projections });
    await world.write('one');
    const rebuilt = projections.map(({ schema }) => world.projections.rebuild(schema.name).finished);
    for (let turn = 0; turn < 100; turn++) await world.clock.advance(100);
    await Promise.all(rebuilt);
    add.mockRestore();
    await world.close();
    expect([most > 0, most <= defaultMaxListeners]).toEqual([true, true]);
  });
});

it('a rebuild that loses the log while the live rows are still written is given up without a trace, and these go on', async () => {
  const world = await NotesWorld.hosting();
  const { events, readModels } = world.ports;
  const [subscribe, apply] = [events.subscribe.bind(events), readModels.apply.bind(readModels)];
  const rebuild = readModels.rebuild.bind(readModels);
  let isLost = false;
  let letLiveRowsBeWritten = (): void => undefined;
  const mayBeWritten = new Promise<void>((resolve) => (letLiveRowsBeWritten = resolve));
  await world.write('one');
  await world.projected();
  readModels.apply = (...rows) => mayBeWritten.then(() => apply(...rows));
  let abandoned = 0;
  readModels.rebuild = async (name) => {
    const rows = await rebuild(name);
    const [take, abandon] = [rows.apply.bind(rows), rows.abandon.bind(rows)];
    rows.abandon = () => abandon().then(() => void abandoned++);
    rows.apply = async (some, checkpoint) => {
      await world.write('two');
      await take(some, checkpoint);
    };
    return rows;
  };
  events.subscribe = async function* (from, options) {
    for await (const batch of subscribe(from, options)) {
      if (isLost) throw new Error('out of reach');
      yield batch;
    }
  };
  const { finished } = world.projections.rebuild('notes');
  for (let turn = 0; turn < 10; turn++) await settle();
  isLost = true;
  await world.write('three');
  await settle();
  isLost = false;
  letLiveRowsBeWritten();
  await expect(finished).rejects.toThrow('out of reach');
  expect(abandoned).toBe(1);
  await world.projected();
  expect((await world.dump()).at(-1)?.row).toMatchObject({ text: 'three' });
  await world.close();
});

describe('a rebuild beside writes', () => {
  let world: NotesWorld;
  /** How many rows each write of the rebuild had. */
  let written: number[];
  beforeEach(async () => {
    world = await NotesWorld.hosting();
    written = [];
  });
  afterEach(() => world.close());

  const notes = (count: number) => Promise.all(Array.from({ length: count }, () => world.write('note')));

  /** Each row takes a tenth of a second, in which so many others are written. */
  function whileWriting(share: number): void {
    const rebuild = world.ports.readModels.rebuild.bind(world.ports.readModels);
    world.ports.readModels.rebuild = async (name) => {
      const rows = await rebuild(name);
      const apply = rows.apply.bind(rows);
      rows.apply = async (some: readonly StoredRow[], checkpoint) => {
        written.push(some.length);
        world.clock.elapse(some.length * 100);
        await notes(Math.floor(some.length * share));
        await apply(some, checkpoint);
      };
      return rows;
    };
  }

  it('holds the live rows only once little is left to catch up with', async () => {
    await notes(200);
    whileWriting(0.5);
    await world.projections.rebuild('notes').finished;
    expect(written.at(-1)).toBeLessThanOrEqual(3);
  });

  it('goes on writing the live rows while the new ones get their indexes', async () => {
    await notes(20);
    const ask = WriteQueue.prototype.ask;
    const shown: number[] = [];
    jest.spyOn(WriteQueue.prototype, 'ask').mockImplementation(async function (this: WriteQueue, request) {
      if (request.kind === 'index') {
        await world.write('meanwhile');
        for (let turn = 0; turn < 10; turn++) await world.clock.advance(100);
        shown.push((await world.dump()).length);
      }
      return ask.call(this, request) as Promise<never>;
    });
    await world.projections.rebuild('notes').finished;
    jest.restoreAllMocks();
    expect(shown).toEqual(shown.map((_, index) => 21 + index));
    expect(shown.length).toBeGreaterThan(0);
  });

  it('tells how much of the log it has read, and is not all done before its rows are live', async () => {
    await notes(600);
    const rebuild = world.ports.readModels.rebuild.bind(world.ports.readModels);
    const told: unknown[] = [];
    const tell = async () => told.push((await world.projections.status())[0]?.rebuild);
    world.ports.readModels.rebuild = async (name) => {
      await tell();
      const rows = await rebuild(name);
      const [apply, switchOver] = [rows.apply.bind(rows), rows.switchOver.bind(rows)];
      rows.apply = (some, checkpoint) => tell().then(() => apply(some, checkpoint));
      rows.switchOver = () => tell().then(switchOver);
      return rows;
    };
    await world.projections.rebuild('notes').finished;
    await tell();
    expect(told.slice(0, 2)).toEqual(Array(2).fill({ state: 'running', percent: 0 }));
    expect(told.slice(-2)).toEqual([
      { state: 'running', percent: 99 },
      { state: 'done', percent: 100 },
    ]);
  });

  it('ends though ever as much is written', async () => {
    await notes(20);
    whileWriting(1);
    await world.projections.rebuild('notes').finished;
    await world.projected();
    expect(await world.dump()).toHaveLength(20 * (written.length + 1));
  });

  it('never writes so many rows at once that commands wait for them', async () => {
    await notes(1_200);
    whileWriting(0);
    await world.projections.rebuild('notes').finished;
    expect(written.reduce((sum, count) => sum + count)).toBe(1_200);
    expect(Math.max(...written)).toBeLessThanOrEqual(500);
  });
});
