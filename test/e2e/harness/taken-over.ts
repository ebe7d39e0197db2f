import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './client.js';
import { ENGINE } from './installation.js';

/** How long another process takes at most to take over what a killed one has left open, where several share the engine. */
const TAKEN_OVER_WITHIN_MS = 12_000;
const EVERY_MS = 100;
/** What a client gets meanwhile, and asks again for. */
const MEANWHILE = [409, 503, 504];

/**
 * The answer to a request that a killed process may have had, or that comes while the engine is short of time: at once on the
 * embedded engine, whose next process takes everything over, and within twelve seconds on a shared one.
 */
export async function takenOver(ask: () => Promise<Answer>): Promise<Answer> {
  const giveUpAt = performance.now() + (ENGINE === 'cluster' ? TAKEN_OVER_WITHIN_MS : 0);
  for (;;) {
    const answer = await ask();
    if (!MEANWHILE.includes(answer.status) || performance.now() > giveUpAt) return answer;
    await pause(EVERY_MS);
  }
}
