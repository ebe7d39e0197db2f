import { StreamHeads } from './stream-heads.js';

describe('the heads of streams', () => {
  it('are known of what was noted, and of nothing else', () => {
    const heads = new StreamHeads();
    heads.note('note-1', 3);
    expect([3, 4, 5].map((revision) => heads.areBefore('note-1', revision))).toEqual([false, true, true]);
    expect(heads.areBefore('note-2', 0)).toBe(false);
  });

  it('never move back, and may be before the first event', () => {
    const heads = new StreamHeads();
    heads.note('note-1', -1);
    expect(heads.areBefore('note-1', 0)).toBe(true);
    heads.note('note-1', 7);
    heads.note('note-1', 2);
    expect(heads.areBefore('note-1', 3)).toBe(false);
    expect(heads.areBefore('note-1', 8)).toBe(true);
  });

  it('are forgotten of streams that nobody touches, and of all when an append may have gone unheard', () => {
    const heads = new StreamHeads();
    heads.note('note-old', 0);
    for (let n = 0; n < 10_000; n++) heads.note(`note-${n}`, 0);
    expect(heads.areBefore('note-old', 1)).toBe(true);
    for (let n = 0; n < 25_000; n++) heads.note(`other-${n}`, 0);
    expect(heads.areBefore('note-1', 1)).toBe(false);
    heads.forget();
    expect(heads.areBefore('other-24999', 1)).toBe(false);
  });
});
