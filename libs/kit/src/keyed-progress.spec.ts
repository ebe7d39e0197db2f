import { KeyedProgress } from './keyed-progress.js';

describe('the progress of keys', () => {
  it('is the furthest place of those asked for, whatever others do', () => {
    const progress = new KeyedProgress('00');
    progress.note('a', '01');
    progress.note('b', '02');
    progress.note('c', '03');
    expect([progress.furthest(['a']), progress.furthest(['b', 'a']), progress.furthest(['c', 'd'])]).toEqual(['01', '02', '03']);
    progress.note('a', '10');
    expect([progress.furthest(['a', 'b']), progress.furthest(['b'])]).toEqual(['10', '02']);
  });

  it('is no earlier than what is unknown', () => {
    const progress = new KeyedProgress('05');
    expect([progress.furthest(['a']), progress.furthest([])]).toEqual(['05', '05']);
    progress.note('a', '06');
    progress.skipTo('08');
    expect(progress.furthest(['a'])).toBe('08');
    progress.note('a', '09');
    expect([progress.furthest(['a']), progress.furthest(['b'])]).toEqual(['09', '08']);
  });
});
