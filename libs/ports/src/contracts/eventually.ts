import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 10;

/** Retries the expectation until it holds; after `withinMs` rejects with its last failure. */
export async function eventually(expectation: () => void | Promise<void>, withinMs = 45_000): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += EVERY_MS) {
    try {
      return await expectation();
    } catch (error) {
      if (waitedMs >= withinMs) throw error;
      await sleep(EVERY_MS);
    }
  }
}
