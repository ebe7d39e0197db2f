import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until the expectation holds; after 10 s its own failure counts. For what other threads and machines do. */
export async function eventually(expectation: () => void | Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await expectation();
    } catch (error) {
      if (tries >= 1000) throw error;
      await sleep(10);
    }
  }
}
