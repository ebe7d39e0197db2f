import { setTimeout as pause } from 'node:timers/promises';
import { done } from './endpoints.mjs';

const LOOKING_EVERY_MS = 200;
const OVER_WITHIN_MS = 120_000;

/** Asks for a task, and waits until it is over. */
export async function task(client, path, body, note) {
  const { id } = await done(client.change('POST', path, body, note));
  const begun = Date.now();
  for (;;) {
    const { status } = await client.lookUp(`/v1/tasks/${id}`);
    if (!['pending', 'running'].includes(status)) return;
    if (Date.now() - begun > OVER_WITHIN_MS) throw new Error(`${id} is still ${status}`);
    await pause(LOOKING_EVERY_MS);
  }
}
