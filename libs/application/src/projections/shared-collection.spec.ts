import { Logger } from '@nestjs/common';
import { type NoteEvent, type NoteRow, NOTES_PROJECT, notesProjection, NotesWorld } from '@testing/notes-world';
import type { ProjectedRow, Projection } from '../read-models/projection.js';

/** In addition to the notes: how often those of each text were amended. */
const schema = { ...notesProjection.schema, version: 2, shared: { name: 'amendments', filterFields: [], dueFields: [] } };
const projection: Projection<NoteEvent, NoteRow> = {
  ...notesProjection,
  schema,
  shared: {
    changes: ({ event, position }, _, projectId) => {
      if (event.type !== 'NoteAmended') return [];
      const refused = event.text === 'too much' ? { position: BigInt(position) } : {};
      const project = (before: ProjectedRow<object> | null) => {
        const { times = 0 } = (before?.row ?? {}) as { times?: number };
        return { projectId, createdAt: event.at, deleted: false, row: { times: times + 1, ...refused } };
      };
      return [{ id: event.text, project }];
    },
  },
};

let world: NotesWorld;
afterEach(() => world.close());

async function amended(): Promise<Record<string, unknown>> {
  const query = { projectId: NOTES_PROJECT, filter: [], order: 'asc', limit: 100 } as const;
  const rows = await world.ports.readModels.page('amendments', query);
  return Object.fromEntries(rows.map(({ id, row }) => [id, (row as { times: number }).times]));
}
const texts = async () => (await world.dump()).map(({ row }) => (row as NoteRow).text);

async function writeThree(): Promise<readonly [string, string]> {
  const ids = [await world.write('a'), await world.write('b')] as const;
  await world.amend(ids[0], 'more');
  await world.amend(ids[1], 'more');
  await world.amend(ids[1], 'less');
  await world.projected();
  return ids;
}

describe('a shared collection', () => {
  it('follows the events, is rebuilt with the other and goes on after it', async () => {
    world = await NotesWorld.hosting({ projections: [projection] });
    const [first] = await writeThree();
    expect([await texts(), await amended()]).toEqual([['more', 'less'], { more: 2, less: 1 }]);
    await world.projections.rebuild('notes').finished;
    expect([await texts(), await amended()]).toEqual([['more', 'less'], { more: 2, less: 1 }]);
    await world.amend(first, 'less');
    await world.projected();
    expect([await texts(), await amended()]).toEqual([['less', 'less'], { more: 2, less: 2 }]);
  });

  it('is filled from the events of before it was added, by rows projected anew', async () => {
    world = await NotesWorld.hosting();
    await writeThree();
    world = await world.reopened({ projections: [projection] });
    await world.host.onApplicationBootstrap();
    await world.amend(await world.write('c'), 'more');
    await world.projected();
    expect([await texts(), await amended()]).toEqual([['more', 'less', 'more'], { more: 3, less: 1 }]);
  });

  it('has a row set aside that the store does not take, and all others are kept', async () => {
    const told = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    world = await NotesWorld.hosting({ projections: [projection] });
    const [first, second] = await writeThree();
    await Promise.all([world.amend(first, 'too much'), world.amend(second, 'more')]);
    await world.projected();
    expect([await texts(), await amended()]).toEqual([['too much', 'more'], { more: 3, less: 1 }]);
    expect(await world.projections.status()).toMatchObject([{ refused: 1, skipped: 0, restarts: 0, lagMs: 0 }]);
    expect(told.mock.calls).toEqual([[expect.stringContaining('row too much is not kept')]]);
    told.mockRestore();
  });
});
