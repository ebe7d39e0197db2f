import { workThrough, type Due } from './work-through.js';

const never = new AbortController().signal;

/** Pages of so many items each, and which of them were asked for. */
function pages(sizes: readonly number[]) {
  const asked: number[] = [];
  const pageOf = (after: { readonly value: number } | null): Promise<Due<string>> => {
    const page = after?.value ?? 0;
    asked.push(page);
    const items = Array.from({ length: sizes[page] ?? 0 }, (_, index) => `${page}/${index}`);
    return Promise.resolve({ items, next: page + 1 < sizes.length ? ({ value: page + 1 } as never) : null });
  };
  return { asked, pageOf: pageOf as never as (after: unknown) => Promise<Due<string>> };
}

describe('what is due', () => {
  it('is worked through page by page until there is no more', async () => {
    const { asked, pageOf } = pages([2, 0, 1]);
    const done: string[] = [];
    expect(await workThrough(pageOf, async (item) => done.push(item), never)).toEqual([]);
    expect([asked, done]).toEqual([
      [0, 1, 2],
      ['0/0', '0/1', '2/0'],
    ]);
  });

  it('is done but for what fails, and every failure is told', async () => {
    const { pageOf } = pages([3, 2]);
    const done: string[] = [];
    const work = (item: string) => (item.endsWith('/1') ? Promise.reject(new Error(item)) : Promise.resolve(done.push(item)));
    expect(await workThrough(pageOf, work, never)).toEqual([new Error('0/1'), new Error('1/1')]);
    expect(done).toEqual(['0/0', '0/2', '1/0']);
  });

  it('is left to the next sweep once a hundred of it have failed: it is the store that fails', async () => {
    const { asked, pageOf } = pages([99, 1, 5]);
    expect(await workThrough(pageOf, (item) => Promise.reject(new Error(item)), never)).toHaveLength(100);
    expect(asked).toEqual([0, 1]);
  });

  it('is left alone once the process is to end', async () => {
    const end = new AbortController();
    const { asked, pageOf } = pages([1, 1, 1]);
    const done: string[] = [];
    const work = async (item: string) => {
      done.push(item);
      end.abort();
    };
    await workThrough(pageOf, work, end.signal);
    expect([asked, done]).toEqual([[0, 1], ['0/0']]);
  });
});
