import type { Server } from 'node:http';
import { MOST_REPLY_WINDOW_MS } from '@ports/setting-bounds';
import { newFastify } from './new-fastify.js';

describe('a connection', () => {
  it('is closed when its client reads nothing of an answer, later than any answer begins', () => {
    const { timeout } = newFastify().getInstance().server as Server;
    expect(timeout).toBeGreaterThan(MOST_REPLY_WINDOW_MS + 10_000);
    expect(timeout).toBeLessThan(180_000);
  });
});
