import type { ReadModels } from '@ports/read-models.port';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { fakeSettings } from '@testing/fake-settings';
import { IdleSweeper } from '../conversations/idle.sweeper.js';
import { RetentionSweeper } from '../webhooks/retention/retention.sweeper.js';
import { StaleSessionSweeper } from '../sessions/stale-session.sweeper.js';

const readModels = { due: () => Promise.resolve([{ id: 'one', row: {} }]) } as unknown as ReadModels;
const fails = () => Promise.reject(new Error('the disk is full'));
const never = new AbortController().signal;

describe('a sweep', () => {
  it.each([
    ['of idle conversations', new IdleSweeper(readModels, { endIdle: fails } as never, fakeSettings())],
    ['of forgotten calls', new StaleSessionSweeper(readModels, { closeStale: fails } as never, new FakeClock())],
    [
      'of expired events',
      new RetentionSweeper(
        { submit: fails } as never,
        readModels,
        { dueBy: () => Promise.resolve({ pointers: [], next: null }) } as never,
        { end: fails } as never,
        new FakeClock(),
      ),
    ],
  ])('%s tells that it failed, so that it is counted and logged', async (_, sweeper) => {
    await expect(sweeper.sweep(0, never, ENVELOPE)).rejects.toThrow('the disk is full');
  });
});
