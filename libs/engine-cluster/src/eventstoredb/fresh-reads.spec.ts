import { FreshReads } from './fresh-reads.js';

describe('a look that is shared', () => {
  function counted() {
    const pending: ((value: number) => void)[] = [];
    const looks = new FreshReads(() => new Promise<number>((resolve) => pending.push(resolve)));
    return { looks, pending };
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('is one for all who ask before it begins', async () => {
    const { looks, pending } = counted();
    const answers = Promise.all([looks.ask(), looks.ask(), looks.ask()]);
    await settle();
    expect(pending).toHaveLength(1);
    pending[0]!(7);
    expect(await answers).toEqual([7, 7, 7]);
  });

  it('is another one for who asks while it is under way', async () => {
    const { looks, pending } = counted();
    const early = looks.ask();
    await settle();
    const late = Promise.all([looks.ask(), looks.ask()]);
    await settle();
    expect(pending).toHaveLength(1);
    pending[0]!(1);
    expect(await early).toBe(1);
    await settle();
    pending[1]!(2);
    expect(await late).toEqual([2, 2]);
  });

  it('goes on after one that failed', async () => {
    let isBroken = true;
    const looks = new FreshReads(() => (isBroken ? Promise.reject(new Error('no answer')) : Promise.resolve('well')));
    await expect(looks.ask()).rejects.toThrow('no answer');
    isBroken = false;
    expect(await looks.ask()).toBe('well');
  });
});
