import { StoreUnavailable } from '@ports/event-store.port';
import { LongWalks } from './long-walks.js';

const never = () => new Promise<void>(() => undefined);

describe('long walks', () => {
  it('are one at a time in each line, and go on after one that failed', async () => {
    const walks = new LongWalks();
    const log: string[] = [];
    const walk = (name: string) => async () => {
      log.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      if (name === 'a1') throw new Error('failed');
    };
    const [failed] = await Promise.allSettled([
      walks.run('a', walk('a1')),
      ...[walks.run('a', walk('a2')), walks.run('b', walk('b1')), walks.run('a', walk('a3'))],
    ]);
    expect(failed.status).toBe('rejected');
    expect(log.slice(0, 2)).toEqual(['a1 begins', 'b1 begins']);
    expect(log.filter((line) => line.startsWith('a'))).toEqual(
      ['a1', 'a2', 'a3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
    await walks.run('a', walk('a4'));
  });

  it('are refused beyond two hundred that wait, in no other line', async () => {
    const walks = new LongWalks();
    for (let n = 0; n < 201; n++) void walks.run('a', never);
    await expect(walks.run('a', never)).rejects.toThrow(StoreUnavailable);
    expect(await walks.run('b', async () => 'found')).toBe('found');
  });
});
