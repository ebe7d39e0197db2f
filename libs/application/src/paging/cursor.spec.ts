import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { Cursors, type ListName } from './cursor.js';
import { PagedLists, sourceOf } from './paged-list.js';

const cursors = new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 7)));
const lists = new PagedLists(cursors);
const KEYS: ListName = { list: 'api_keys', idKind: 'apiKey', log: 'log one' };
const KEY = { createdAt: 1_772_355_600_123, sortId: '18446744073709551615' };

function read(name: ListName, text: string) {
  try {
    return cursors.read(name, text, 'starting_after');
  } catch (error) {
    return error;
  }
}

describe('a cursor', () => {
  it('leads back to the place it was made for', () => {
    expect(read(KEYS, cursors.encode(KEYS, KEY))).toEqual({ at: 'key', key: KEY });
  });

  it('of an earlier version leads to the same place', () => {
    const kept = 'cur_AQxhcHBvaW50bWVudHNzaOSG8yQwQQGcqKA--zAwMDAwMDAwMDAwMDAwMDAwMDQyS2OiCsU-0Q0Yhw';
    const name: ListName = { list: 'appointments', idKind: 'appointment', log: 'log one' };
    const key = { createdAt: 1_772_355_600_123, sortId: '00000000000000000042' };
    expect(read(name, kept)).toEqual({ at: 'key', key });
  });

  it('keeps only its time under another log', () => {
    expect(read({ ...KEYS, log: 'log two' }, cursors.encode(KEYS, KEY))).toEqual({ at: 'time', time: KEY.createdAt });
  });

  it('belongs to one list', () => {
    expect(read({ ...KEYS, list: 'api_key' }, cursors.encode(KEYS, KEY))).toMatchObject({ code: 'cursor_invalid' });
  });

  it('of another installation is refused', () => {
    const others = new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 8)));
    expect(read(KEYS, others.encode(KEYS, KEY))).toMatchObject({ code: 'cursor_invalid' });
  });

  it.each(['1', '12', '123'])('has one spelling: anything else at its end makes it none (%s)', (sortId) => {
    const text = cursors.encode(KEYS, { ...KEY, sortId });
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const others = [...letters].map((letter) => text.slice(0, -1) + letter).filter((other) => other !== text);
    for (const other of [...others, `${text}=`, `${text} `, `${text}!`, text.replace('_', '_.')]) {
      expect(read(KEYS, other)).toMatchObject({ code: 'cursor_invalid' });
    }
    expect(read(KEYS, text)).toMatchObject({ at: 'key' });
  });

  it('gives away nothing but letters, digits, dashes and underscores', () => {
    expect(cursors.encode(KEYS, KEY)).toMatch(/^cur_[\w-]+$/);
  });
});

describe('a list in memory', () => {
  const items = [3, 1, 2].map((number) => ({ id: `key_${'0'.repeat(25)}${number}`, at: 10, place: String(number) }));
  const source = sourceOf(KEYS, items, ({ at, place }) => ({ createdAt: at, sortId: place }));

  it('is walked like any other', async () => {
    const page = { limit: 2, order: 'desc', startingAfter: null, endingBefore: null } as const;
    const first = await lists.page(source, page);
    expect(first.items.map(({ place }) => place)).toEqual(['3', '2']);
    const second = await lists.page(source, { ...page, startingAfter: first.nextCursor });
    expect(second).toMatchObject({ items: [{ place: '1' }], hasMore: false, nextCursor: null });
    const back = await lists.page(source, { ...page, endingBefore: second.items[0]!.id, order: 'desc' });
    expect(back.items.map(({ place }) => place)).toEqual(['3', '2']);
  });

  it('tells that nothing follows the page before an item that has left its end', async () => {
    const deleted = `key_${'0'.repeat(26)}`;
    const keyOf = ({ at, place }: (typeof items)[number]) => ({ createdAt: at, sortId: place });
    const shortened = sourceOf(KEYS, items, keyOf, () => Promise.resolve({ createdAt: 10, sortId: '0' }));
    const page = await lists.page(shortened, { limit: 2, order: 'desc', startingAfter: null, endingBefore: deleted });
    expect(page).toMatchObject({ items: [{ place: '2' }, { place: '1' }], hasMore: true, nextCursor: null });
  });
});
