import { Logger } from '@nestjs/common';
import { settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld } from '@testing/notes-world';

let world: NotesWorld;
afterEach(() => world.close());

describe('a read model', () => {
  it('begun where the log has events already is out of reach until it shows them, and says so', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    world = await NotesWorld.hosting();
    await world.write('old');
    await world.projected();
    const schema = { ...notesProjection.schema, name: 'fresh-notes' };
    world = await world.reopened({ projections: [{ ...notesProjection, schema }] });
    await world.projections.define();
    expect(warn.mock.calls).toEqual([]);
    await world.clock.advance(10_000);
    expect(await world.ports.readModels.isRestored('fresh-notes')).toBe(false);
    expect(warn.mock.calls).toEqual([['rows are projected anew; until that is done their lists answer 503']]);
    await world.host.onApplicationBootstrap();
    await settle();
    await world.clock.advance(100);
    expect(await world.ports.readModels.isRestored('fresh-notes')).toBe(true);
    warn.mockRestore();
  });

  it('makes its rows anew where the log is an older copy, at a start and while it runs', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    world = await NotesWorld.hosting();
    const id = await world.write('kept');
    await world.projected();
    const { events, readModels } = world.ports;
    const end = await events.head();
    await readModels.apply('notes', [], '9'.repeat(20));
    await world.clock.advance(5_000);
    await world.clock.advance(1_000);
    await world.projected();
    expect(warn.mock.calls.flat()).toContainEqual(expect.stringContaining('no place in this log'));
    expect(await readModels.checkpoint('notes')).toBe(await events.head());
    expect(await world.dump()).toMatchObject([{ id, row: { text: 'kept' } }]);
    await world.host.beforeApplicationShutdown();
    await readModels.apply('notes', [], '9'.repeat(20));
    world = await world.reopened();
    await world.host.onApplicationBootstrap();
    await world.projected();
    expect(await world.ports.readModels.checkpoint('notes')).toBe(end);
    expect(await world.dump()).toMatchObject([{ id, row: { text: 'kept' } }]);
    warn.mockRestore();
  });
});
