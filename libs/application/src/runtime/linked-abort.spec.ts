import { getEventListeners } from 'node:events';
import { LinkedAbort } from './linked-abort.js';

const MANY = 50;

describe('controllers that follow a parent', () => {
  it('abort with it, and are one listener of it however many they are', () => {
    const parent = new AbortController();
    const followers = Array.from({ length: MANY }, () => new LinkedAbort(parent.signal));
    followers[0]?.unlink();
    expect(getEventListeners(parent.signal, 'abort')).toHaveLength(1);
    parent.abort();
    expect(followers.map(({ signal }) => signal.aborted)).toEqual([false, ...Array.from({ length: MANY - 1 }, () => true)]);
  });

  it('are aborted from the beginning where it is', () => {
    expect(new LinkedAbort(new AbortController().signal, AbortSignal.abort()).signal.aborted).toBe(true);
  });
});
