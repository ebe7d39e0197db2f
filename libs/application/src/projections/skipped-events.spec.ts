import type { Recorded } from '@ports/event-store.port';
import { settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld } from '@testing/notes-world';
import { INSTALLATION } from '../projects/projects.projection.js';
import type { Reactor } from '../runtime/reactor.js';
import { skippedEventsProjection, type SkippedEventRow } from '../skipped-events/skipped-events.projection.js';

class Diary implements Reactor {
  readonly name = 'diary';
  readonly categories = ['note'];

  async handle(events: readonly Recorded[]): Promise<void> {
    if (events.some(({ event }) => event.type === 'NoteCursed')) throw new TypeError('cursed');
  }
}

const PROJECTIONS = [notesProjection, skippedEventsProjection];

let world: NotesWorld;
afterEach(() => world.close());

/** Those that are listed, by component. */
async function listed(): Promise<readonly (SkippedEventRow & { readonly id: string })[]> {
  await settle();
  await world.clock.advance(1_000);
  const query = { projectId: INSTALLATION, filter: [], order: 'asc', limit: 100 } as const;
  const rows = await world.ports.readModels.page('skipped_events', query);
  return rows
    .map(({ id, row }) => ({ id, ...(row as SkippedEventRow) }))
    .toSorted((a, b) => (a.component < b.component ? -1 : 1));
}

async function cursedNote(): Promise<{ readonly id: string; readonly position: string }> {
  const id = await world.write('note');
  const position = await world.append(id, { type: 'NoteCursed', at: world.clock.now() });
  await world.amend(id, 'after the curse');
  await world.projected();
  return { id, position };
}

describe('an event that a projection and a reactor cannot apply', () => {
  it('is listed for each of them, and holds up neither', async () => {
    world = await NotesWorld.hosting({ projections: PROJECTIONS, reactors: [new Diary()] });
    const { id, position } = await cursedNote();
    expect((await world.dump()).map(({ row }) => row)).toEqual([{ text: 'after the curse', amendments: 1 }]);
    const about = { position, type: 'NoteCursed', stream: `note-${id}`, revision: 1, attempts: 1 };
    expect(await listed()).toMatchObject([
      { component: 'diary', error: 'TypeError', rows: [], ...about },
      { component: 'notes', error: 'Error', rows: [id], ...about },
    ]);
  });

  it('is the same one for a rebuild, which counts an attempt', async () => {
    world = await NotesWorld.hosting({ projections: PROJECTIONS });
    await cursedNote();
    const [before] = await listed();
    await world.projections.rebuild('notes').finished;
    expect(await listed()).toMatchObject([{ id: before?.id, attempts: 2, firstAt: before?.firstAt }]);
  });

  it('is also the last one of a row that cannot be stored', async () => {
    const project: typeof notesProjection.project = (...given) => {
      const after = notesProjection.project(...given);
      return after?.row.text === 'too much' ? { ...after, row: { ...after.row, text: 1n as unknown as string } } : after;
    };
    const streamsOf = (_: object, id: string) => [`note-${id}`];
    world = await NotesWorld.hosting({ projections: [{ ...notesProjection, project, streamsOf }, skippedEventsProjection] });
    const id = await world.write('note');
    await world.projected();
    const position = await world.amend(id, 'too much');
    await world.projected();
    const about = { component: 'notes', position, type: 'NoteAmended', error: 'RowsRefused', rows: [id] };
    expect(await listed()).toMatchObject([{ ...about, attempts: 1 }]);
    await world.projections.rebuild('notes').finished;
    expect(await listed()).toMatchObject([{ ...about, attempts: 2 }]);
  });
});
