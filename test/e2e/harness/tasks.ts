import type { Answer, Client } from './client.js';
import { eventually } from './eventually.js';

/** Before anything that a test has made. */
export const LONG_AGO = '2026-01-01T00:00:00Z';

/** Waits until a task has this status. */
// oxlint-disable-next-line typescript/no-explicit-any
export function taskIn(status: string, client: Client, id: string, withinMs?: number): Promise<any> {
  return eventually(async () => {
    const { body } = await client.get(`/v1/tasks/${id}`);
    expect(body.status).toBe(status);
    return body;
  }, withinMs);
}

/** The task that was asked for, once it is completed. */
// oxlint-disable-next-line typescript/no-explicit-any
export async function completed(client: Client, asked: Answer, withinMs?: number): Promise<any> {
  expect(asked.status).toBe(202);
  return taskIn('completed', client, asked.body.id, withinMs);
}
