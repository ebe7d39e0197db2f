import type { ConversationRow } from '@application/conversations/state/conversations.projection';
import { FakeClock } from '@testing/fake-clock';
import type { Condition, ListedRow } from '@ports/read-models.port';
import { also, isOfHandoffs, settledHandoffs } from './settled-handoffs.js';

const clock = new FakeClock();
const conditions: (Condition | undefined)[] = [];

/** Reads a page of conversations that were handed off at these instants; null: as a row without a text. */
function readOf(...ages: readonly number[]) {
  conditions.length = 0;
  const items = ages.map((age, index) => {
    const handedOffAt = clock.now() - age;
    const key = { createdAt: 1, sortId: String(index) };
    if (index > 0) return { ...key, text: JSON.stringify({ handed_off_at: new Date(handedOffAt).toISOString() }) };
    return { ...key, text: null, stored: { row: { handedOffAt } } };
  });
  return settledHandoffs(clock, (upTo) => {
    conditions.push(upTo);
    return Promise.resolve({ items: items as unknown as ListedRow<ConversationRow>[], hasMore: false, nextCursor: null });
  })();
}

describe('a page of hand-offs', () => {
  it('is whole once the newest is half a second old', async () => {
    expect(await readOf(500, 90_000)).toMatchObject({ isEmpty: false });
    expect((await readOf(90_000, 500)).reread).toBeUndefined();
    expect(await readOf()).toMatchObject({ isEmpty: true });
  });

  it('is read again half a second after the newest, and up to it: earlier ones may be stored later', async () => {
    const { reread } = await readOf(90_000, 200);
    expect(reread?.at).toBe(clock.now() + 300);
    const whole = await reread?.read();
    expect(whole).toMatchObject({ isEmpty: false });
    expect(whole?.reread).toBeUndefined();
    expect(conditions).toEqual([undefined, { field: 'handedOffAt', op: 'lte', value: clock.now() - 200 }]);
  });

  it('is held back no longer by a clock that is ahead', async () => {
    expect((await readOf(-60_000)).reread?.at).toBe(clock.now() + 500);
  });
});

describe('a list', () => {
  it('is one of hand-offs by its status or by their time', () => {
    const queries = [{ status: 'handed_off' }, { handed_off_at: { gt: '' } }, { status: 'ended' }, {}];
    expect(queries.map(isOfHandoffs)).toEqual([true, true, false, false]);
  });

  it('is narrowed in each of its alternatives', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((field) => ({ field, op: 'eq', value: 1 }) as const);
    expect(also(c!, [[a!], [b!]])).toEqual([
      [a, c],
      [b, c],
    ]);
    expect(also(c!, [])).toEqual([[c]]);
  });
});
