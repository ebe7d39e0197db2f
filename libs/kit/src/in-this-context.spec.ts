import { AsyncLocalStorage } from 'node:async_hooks';
import { inThisContext } from './in-this-context.js';

describe('a callback of a context', () => {
  it('runs in it whoever calls, is given what it is called with, and answers', () => {
    const names = new AsyncLocalStorage<string>();
    const told = names.run('own', () => inThisContext((greeting: string) => `${greeting} ${names.getStore()}`));
    expect(names.run('another', () => [told('hi'), names.getStore()])).toEqual(['hi own', 'another']);
  });

  it('throws to who calls', () => {
    const failing = inThisContext(() => {
      throw new RangeError('no');
    });
    expect(failing).toThrow(RangeError);
  });
});
