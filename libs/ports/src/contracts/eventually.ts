import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until the expectation holds; after most of a minute its own failure counts. For what other threads and machines do. */
export async function eventually(expectation: () => void | Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await expectation();
    } catch (error) {
      if (tries >= 4_500) throw error;
      await sleep(10);
    }
  }
}
