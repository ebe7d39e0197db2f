import { Logger } from '@nestjs/common';
import { StoreUnavailable } from '@ports/event-store.port';
import { settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld, type NoteRow } from '@testing/notes-world';
import { SchemaReadiness } from '../read-models/schema-readiness.js';

type Sharing = Awaited<ReturnType<typeof NotesWorld.sharing>>;

const { schema } = notesProjection;
const older = { projections: [notesProjection] };
const newer = { projections: [{ ...notesProjection, schema: { ...schema, version: schema.version + 1 } }] };

let sharing: Sharing;
let [before, after, gateway] = [] as unknown as [NotesWorld, NotesWorld, NotesWorld];
beforeEach(async () => {
  sharing = await NotesWorld.sharing([older, newer, older]);
  [before, after, gateway] = sharing.worlds as [NotesWorld, NotesWorld, NotesWorld];
  await new SchemaReadiness(gateway.ports.readModels, older.projections, sharing.clock).onApplicationBootstrap();
  await begin(before);
  await before.write('one');
  await passing(before.projected());
});
afterEach(() => sharing.close());

/** Lets time pass until the work settles. */
async function passing<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => (isOver = true);
  work.then(end, end);
  while (!isOver) await sharing.clock.advance(10);
  return work;
}
async function begin({ host }: NotesWorld): Promise<void> {
  await host.onApplicationBootstrap();
  await wait(1_000);
}
async function wait(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    await sharing.clock.advance(10);
    await settle();
  }
}
const listed = (world: NotesWorld) =>
  passing(world.list()).then(
    ({ items }) => items.map(({ row }) => (row as NoteRow).text),
    (error: unknown) => error,
  );

describe('a newer program beside an older one', () => {
  it('waits for the lease: rows stay those of the older one, which goes on', async () => {
    await begin(after);
    await before.write('two');
    expect(await listed(before)).toEqual(['two', 'one']);
    expect(await listed(gateway)).toEqual(['two', 'one']);
    expect(await listed(after)).toBeInstanceOf(StoreUnavailable);
  });

  it('makes the rows anew within a second of the end of the older one, whose other processes read them no more', async () => {
    await begin(after);
    await before.stop();
    await wait(1_000);
    expect(await listed(after)).toEqual(['one']);
    expect(await listed(gateway)).toBeInstanceOf(StoreUnavailable);
  });

  it('keeps its rows when an older program would take the lease from then on', async () => {
    await before.stop();
    await begin(after);
    await after.stop();
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await begin(gateway);
    await wait(10_000);
    expect(warned.mock.calls.filter(([line]) => String(line).includes('a newer version of the program'))).toHaveLength(1);
    warned.mockRestore();
    const { readModels } = before.ports;
    expect(await readModels.expect(newer.projections[0]!.schema)).toBe('same');
    expect(await readModels.checkpoint(schema.name)).toBe(await before.ports.events.head());
  });
});

it('a process that is alone on its engine goes back to the rows of its own version', async () => {
  const world = await NotesWorld.open(older);
  await world.write('one');
  await world.ports.readModels.define(newer.projections[0]!.schema);
  await world.host.onApplicationBootstrap();
  await world.projected();
  expect(await world.dump()).toMatchObject([{ row: { text: 'one' } }]);
  await world.close();
});
