import { setTimeout as pause } from 'node:timers/promises';

const WITHIN_MS = 45_000;
const EVERY_MS = 25;

/** Tries until the expectation holds; its own failure counts once far more time has passed than a loaded machine needs. */
export async function eventually<T>(expectation: () => T | Promise<T>): Promise<T> {
  const last = Date.now() + WITHIN_MS;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (Date.now() > last) throw error;
      await pause(EVERY_MS);
    }
  }
}
