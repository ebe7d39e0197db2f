import { Logger } from '@nestjs/common';
import type { StoredRow } from '@ports/read-models.port';
import { NOTES_PROJECT, NotesWorld, notesProjection } from '@testing/notes-world';
import { DamagedRows } from './damaged-rows.js';
import { ListTexts } from './list-texts.query.js';
import { ListTextsHandler } from './row.handlers.js';

let world: NotesWorld;
let told: jest.SpyInstance;
let damaged: DamagedRows;
let handler: ListTextsHandler;
beforeEach(async () => {
  told = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  world = await NotesWorld.open();
  damaged = new DamagedRows();
  handler = new ListTextsHandler(world.ports.readModels, world.pages, damaged);
});
afterEach(async () => {
  told.mockRestore();
  await world.close();
});

const at = (place: number) => String(place).padStart(20, '0');
const row = (place: number, text: string): StoredRow => {
  const key = { id: `n${place}`, projectId: NOTES_PROJECT, createdAt: place, sortId: at(place), position: at(place) };
  return { ...key, deleted: false, row: { text: 'any', amendments: 0 }, text };
};
const page = (limit: number, startingAfter: string | null = null) =>
  handler.execute(new ListTexts(notesProjection, NOTES_PROJECT, [], { limit, order: 'asc', startingAfter, endingBefore: null }));
const texts = (items: readonly { readonly text: string | null }[]) => items.map(({ text }) => text);

describe('a row whose stored text is damaged', () => {
  beforeEach(() =>
    world.ports.readModels.apply('notes', [row(1, '{"n":1}'), row(2, '{"n":'), row(3, '{"n":3}'), row(4, '{"n":4}')], at(4)),
  );

  it('is left out of its page, counted each time, and told of once', async () => {
    for (let times = 0; times < 2; times++) expect(texts((await page(9)).items)).toEqual(['{"n":1}', '{"n":3}', '{"n":4}']);
    expect(damaged.counts).toEqual({ notes: 2 });
    expect(told.mock.calls).toEqual([[expect.stringContaining(`the row of notes that began at ${at(2)} is damaged`)]]);
  });

  it('takes its place in a walk, which goes on behind it and passes over no other', async () => {
    const first = await page(2);
    expect([texts(first.items), first.hasMore]).toEqual([['{"n":1}'], true]);
    const second = await page(2, first.nextCursor);
    expect([texts(second.items), second.hasMore]).toEqual([['{"n":3}', '{"n":4}'], false]);
  });
});
