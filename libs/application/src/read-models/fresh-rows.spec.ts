import { adaptersOver } from '@engine-embedded/open-embedded-engine';
import { settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld, type NoteRow } from '@testing/notes-world';
import { FlushRequests } from './flush-requests.js';
import { FreshRows } from './fresh-rows.js';

type Sharing = Awaited<ReturnType<typeof NotesWorld.sharing>>;

const program = { projections: [notesProjection] };
let sharing: Sharing;
let [host, gateway, other] = [] as unknown as [NotesWorld, NotesWorld, NotesWorld];

beforeEach(async () => {
  sharing = await NotesWorld.sharing([program, program, program]);
  [host, gateway, other] = sharing.worlds as [NotesWorld, NotesWorld, NotesWorld];
  for (const { ports } of sharing.worlds) await ports.readModels.define(notesProjection.schema);
  await host.host.onApplicationBootstrap();
  await gateway.write('first');
  await wait(1_000);
});
afterEach(() => sharing.close());

async function wait(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    await sharing.clock.advance(10);
    await settle();
  }
}

async function unrelated({ ports, ids }: NotesWorld): Promise<void> {
  const event = { type: 'Happened', at: 1 };
  await ports.events.append(`elsewhere-${ids.uuid()}`, [{ id: ids.uuid(), event }], 'none');
}

/** The list, and how long it was waited for. */
async function listed(world: NotesWorld) {
  const from = sharing.clock.elapsed();
  let isOver = false;
  const listing = world.list().finally(() => (isOver = true));
  await settle();
  while (!isOver) await wait(10);
  const { items } = await listing;
  return { texts: items.map(({ row }) => (row as NoteRow).text), ms: sharing.clock.elapsed() - from };
}

describe('a list, in a process that runs no projections,', () => {
  it('waits for what another process has written, and no longer than until it is there', async () => {
    await other.write('second');
    const { texts, ms } = await listed(gateway);
    expect(texts).toEqual(['second', 'first']);
    expect(ms).toBeLessThanOrEqual(30);
  });

  it('does not wait for events that its rows are not made of', async () => {
    await unrelated(other);
    expect(await listed(gateway)).toEqual({ texts: ['first'], ms: 0 });
  });

  it('waits for what was written before such events', async () => {
    await other.write('second');
    await unrelated(gateway);
    expect((await listed(gateway)).texts).toEqual(['second', 'first']);
    expect((await listed(other)).texts).toEqual(['second', 'first']);
  });

  it('waits two seconds for what was written, also behind such events and before its process started, where nobody projects', async () => {
    await host.host.beforeApplicationShutdown();
    await other.write('second');
    await unrelated(other);
    const started = new FreshRows(adaptersOver(other.ports.store).events, gateway.ports.readModels, new FlushRequests());
    for (const fresh of [started, new FreshRows(gateway.ports.events, gateway.ports.readModels, new FlushRequests())]) {
      const caughtUp = fresh.caughtUp(notesProjection);
      await wait(1_990);
      expect(await Promise.race([caughtUp, Promise.resolve('waits')])).toBe('waits');
      await wait(10);
      expect(await caughtUp).toBe(false);
    }
  });
});
