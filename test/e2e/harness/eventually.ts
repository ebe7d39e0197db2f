import { setTimeout as pause } from 'node:timers/promises';

const WITHIN_MS = 45_000;
const EVERY_MS = 25;

/** Retries the expectation until it holds; rejects with its last failure after the time, by default 45 s for heavily loaded machines. */
export async function eventually<T>(expectation: () => T | Promise<T>, withinMs = WITHIN_MS): Promise<T> {
  const last = Date.now() + withinMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (Date.now() > last) throw error;
      await pause(EVERY_MS);
    }
  }
}
