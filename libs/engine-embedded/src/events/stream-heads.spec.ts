import { StreamHeads } from './stream-heads.js';

describe('the ends of streams', () => {
  it('are known of what was noted, and of nothing else', () => {
    const ends = new StreamHeads();
    ends.note('note-1', 3);
    expect([3, 4, 5].map((revision) => ends.areBefore('note-1', revision))).toEqual([false, true, true]);
    expect(ends.areBefore('note-2', 0)).toBe(false);
  });

  it('never move back, and may be before the first event', () => {
    const ends = new StreamHeads();
    ends.note('note-1', -1);
    expect(ends.areBefore('note-1', 0)).toBe(true);
    ends.note('note-1', 7);
    ends.note('note-1', 2);
    expect(ends.areBefore('note-1', 3)).toBe(false);
    expect(ends.areBefore('note-1', 8)).toBe(true);
  });

  it('are forgotten of streams that nobody touches, and of all when an append may have gone unheard', () => {
    const ends = new StreamHeads();
    ends.note('note-old', 0);
    for (let n = 0; n < 10_000; n++) ends.note(`note-${n}`, 0);
    expect(ends.areBefore('note-old', 1)).toBe(true);
    for (let n = 0; n < 25_000; n++) ends.note(`other-${n}`, 0);
    expect(ends.areBefore('note-1', 1)).toBe(false);
    ends.forget();
    expect(ends.areBefore('other-24999', 1)).toBe(false);
  });
});
