import { row } from '@ports/contracts/note-rows';
import { RowsRefused } from '@ports/read-models.port';
import { toDocuments, toStored } from './row-documents.js';

const schema = { name: 'notes', version: 1, filterFields: ['status', 'phone'], dueFields: ['dueAt'] };

describe('a row as a document', () => {
  it('comes back as it was, its text too', () => {
    const rows = [row('a', 1, { nested: { 'odd.key$': [1, null] } }), { ...row('b', 2), text: '{"id":"b"}', deleted: true }];
    expect(toDocuments(schema, rows).map(toStored)).toEqual(rows);
  });

  it('has every field that is compared, null where the row has no value for it', () => {
    const [document] = toDocuments(schema, [row('a', 1, { status: 'ended', dueAt: 7, phone: { no: 'value' } })]);
    expect(document?.f).toEqual({ status: 'ended', phone: null, dueAt: 7 });
  });

  it.each([
    ['is endless', () => ((endless) => Object.assign(endless, { self: endless }))({})],
    ['has a number that JSON lacks', () => ({ huge: 1n })],
    ['is larger than the server takes', () => ({ title: 'x'.repeat(15 * 1024 * 1024) })],
  ])('is refused when it %s', (_, members) =>
    expect(() => toDocuments(schema, [row('sound', 1), row('odd', 2, members())])).toThrow(RowsRefused),
  );
});
