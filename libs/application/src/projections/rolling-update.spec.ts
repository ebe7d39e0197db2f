import type { InstanceRegistry } from '../instances/instance-registry.js';
import { settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld, type NoteRow } from '@testing/notes-world';
import { SchemaReadiness } from '../read-models/schema-readiness.js';
import { HostRecord } from './standing/host-record.js';

type Sharing = Awaited<ReturnType<typeof NotesWorld.sharing>>;

const { schema } = notesProjection;
const raised = { ...notesProjection, schema: { ...schema, version: schema.version + 1 } };
const older = { projections: [notesProjection] };
const newer = { projections: [raised] };

let sharing: Sharing;
let [before, after, gateway, nextGateway] = [] as unknown as [NotesWorld, NotesWorld, NotesWorld, NotesWorld];
let former: SchemaReadiness;
let next: SchemaReadiness;
beforeEach(async () => {
  sharing = await NotesWorld.sharing([older, newer, older, newer]);
  [before, after, gateway, nextGateway] = sharing.worlds as [NotesWorld, NotesWorld, NotesWorld, NotesWorld];
  former = new SchemaReadiness(gateway.ports.readModels, older.projections, sharing.clock);
  await former.onApplicationBootstrap();
  next = new SchemaReadiness(nextGateway.ports.readModels, newer.projections, sharing.clock);
  await next.onApplicationBootstrap();
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
  await passing(host.onApplicationBootstrap());
  await wait(3_000);
}
async function wait(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    await sharing.clock.advance(10);
    await settle();
  }
}
async function minutes(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed++) {
    await sharing.clock.advance(60_000);
    await settle();
  }
}
const listed = (world: NotesWorld) =>
  passing(world.list()).then(
    ({ items }) => items.map(({ row }) => (row as NoteRow).text),
    (error: unknown) => error,
  );
const hosts = async () => {
  const { host, beside } = await new HostRecord(before.ports.records, sharing.clock, {} as InstanceRegistry).read();
  return [host, beside].map((each) => each?.projections.map(({ version }) => version));
};

describe('a program with a newer version of rows, beside an older one', () => {
  it('makes its own and follows the log, while the older one goes on with those of before', async () => {
    await begin(after);
    await before.write('two');
    for (const world of [before, gateway, nextGateway]) expect(await listed(world)).toEqual(['two', 'one']);
    expect(await hosts()).toEqual([[1], [2]]);
  });

  it('is the host within a second of the end of the older one, whose rows its other processes still read', async () => {
    await begin(after);
    await before.stop();
    await wait(1_000);
    expect(await hosts()).toEqual([[2], undefined]);
    expect(await listed(gateway)).toEqual(['one']);
    await nextGateway.write('two');
    expect(await listed(nextGateway)).toEqual(['two', 'one']);
  });

  it('leaves everything to a host that knows its version', async () => {
    await begin(before);
    await begin(gateway);
    expect(await hosts()).toEqual([[1], undefined]);
  });

  it('is beside an older one that comes back, and begins none of its rows anew', async () => {
    await before.stop();
    await begin(after);
    await after.stop();
    await begin(gateway);
    await begin(nextGateway);
    await gateway.write('two');
    expect(await listed(gateway)).toEqual(['two', 'one']);
    expect(await listed(nextGateway)).toEqual(['two', 'one']);
    expect(await hosts()).toEqual([[1], [2]]);
  });

  it('drops the older rows once no process has read them for ten minutes', async () => {
    await before.stop();
    await begin(after);
    const dropped = jest.spyOn(after.ports.readModels, 'dropUnused');
    const versions = async () => (await Promise.all(dropped.mock.results.map(({ value }) => value))).flat();
    await minutes(20);
    expect(await versions()).toEqual([]);
    const stopped = former.onApplicationShutdown();
    await minutes(9);
    expect(await versions()).toEqual([]);
    await minutes(3);
    expect(await versions()).toContainEqual(expect.objectContaining({ name: 'notes', version: 1 }));
    await stopped;
  });

  it('is ready once its rows are complete, and then for good', async () => {
    expect(await next.missing()).toEqual(['notes']);
    await begin(after);
    expect(await next.missing()).toEqual([]);
    const { readModels } = nextGateway.ports;
    jest.spyOn(readModels, 'stored').mockRejectedValue(new Error('not asked'));
    expect(await next.missing()).toEqual([]);
  });
});

it('a process that is alone on its engine goes back to the rows of its own version', async () => {
  const world = await NotesWorld.open(older);
  await world.write('one');
  await world.ports.readModels.define(raised.schema);
  await world.host.onApplicationBootstrap();
  await world.projected();
  expect(await world.dump()).toMatchObject([{ row: { text: 'one' } }]);
  await world.close();
});
