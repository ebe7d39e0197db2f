import { AsyncLocalStorage } from 'node:async_hooks';
import { settle } from '@testing/fake-clock';
import { ReadScheduler } from './read-scheduler.js';

describe('a turn of reading', () => {
  it('is over when so much was read, in however many parts, and the next begins anew', async () => {
    const turn = new ReadScheduler();
    turn.note(600_000);
    expect(turn.isSpent).toBe(false);
    turn.note(400_000);
    expect(turn.isSpent).toBe(true);
    await turn.next(0, () => undefined);
    expect(turn.isSpent).toBe(false);
    turn.note(600_000);
    await settle();
    turn.note(600_000);
    expect(turn.isSpent).toBe(false);
  });

  it('has short reads before long ones, and long ones one after the other', async () => {
    const turn = new ReadScheduler();
    const read: string[] = [];
    const reading = async (name: string, events: number) => {
      const rank = turn.rankOf(events);
      for (let part = 0; part < Math.ceil(events / 128); part++) {
        await turn.next(rank, () => {
          turn.note(part % 2 === 0 ? 1_000_000 : 600_000);
          read.push(name);
        });
      }
    };
    turn.note(1_000_000);
    expect(turn.isCrowded).toBe(false);
    const some = turn.next(0, () => undefined);
    expect(turn.isCrowded).toBe(true);
    await some;
    expect(turn.isCrowded).toBe(false);
    turn.note(1_000_000);
    await Promise.all([reading('long', 384), reading('longer', 500), reading('short', 128), reading('short', 1)]);
    expect(read.slice(0, 3)).toEqual(['short', 'long', 'short']);
    expect(read.slice(3)).toEqual(['long', 'long', 'longer', 'longer', 'longer', 'longer']);
  });

  it('has short reads as they came', async () => {
    const turn = new ReadScheduler();
    const read: string[] = [];
    turn.note(1_000_000);
    await Promise.all(['first', 'second', 'third'].map((name) => turn.next(0, () => read.push(name))));
    expect(read).toEqual(['first', 'second', 'third']);
  });

  it('does each read in the async context of who asked', async () => {
    const turn = new ReadScheduler();
    const request = new AsyncLocalStorage<string>();
    turn.note(1_000_000);
    const reads = ['one', 'other'].map((name) => request.run(name, () => turn.next(0, () => request.getStore())));
    expect(await Promise.all(reads)).toEqual(['one', 'other']);
  });

  it('has one part of the long reads, however little they read, and nobody passes those that wait', async () => {
    const turn = new ReadScheduler();
    const read: string[] = [];
    turn.note(1_000_000);
    const [first, second] = ['first', 'second'].map((name) => turn.next(turn.rankOf(300), () => read.push(name)));
    await first;
    expect([read, turn.isSpent, turn.isCrowded]).toEqual([['first'], false, true]);
    await Promise.all([second, turn.next(turn.rankOf(300), () => read.push('late'))]);
    expect(read).toEqual(['first', 'second', 'late']);
  });

  it('comes for long reads while short ones keep coming', async () => {
    const turn = new ReadScheduler();
    let goesOn = true;
    turn.note(1_000_000);
    const shorts = Array.from({ length: 4 }, async () => {
      while (goesOn) {
        await turn.next(0, () => turn.note(1_000_000));
        await settle();
      }
    });
    const rank = turn.rankOf(300);
    // The last part of a stream may be empty.
    for (const characters of [100_000, 100_000, 0, 100_000]) await turn.next(rank, () => turn.note(characters));
    goesOn = false;
    await Promise.all(shorts);
    expect(turn.isCrowded).toBe(false);
  });

  it('tells whoever cannot read so, and goes on', async () => {
    const turn = new ReadScheduler();
    turn.note(1_000_000);
    const failing = turn.next(0, () => {
      throw new Error('closed');
    });
    const other = turn.next(0, () => 'read');
    await expect(failing).rejects.toThrow('closed');
    expect(await other).toBe('read');
  });
});
