import { defaultMaxListeners, getEventListeners } from 'node:events';
import { notesProjection, NotesWorld } from '@testing/notes-world';
import type { Projection } from './projection.js';

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
    const rebuilt = projections.map(({ schema }) => world.host.rebuild(schema.name).finished);
    for (let turn = 0; turn < 100; turn++) await world.clock.advance(100);
    await Promise.all(rebuilt);
    add.mockRestore();
    await world.close();
    expect([most > 0, most <= defaultMaxListeners]).toEqual([true, true]);
  });
});
