import { DomainError } from '@domain/kernel/domain-error';
import { FakeClock, settle } from '@testing/fake-clock';
import { Shutdown } from '../../runtime/shutdown.js';
import type { SentMessage } from '../conversation.commands.js';
import { MessageJobs } from './pending-replies.js';

const WINDOW_MS = 30_000;
const HANDED_OFF = new DomainError('conversation_handed_off', 'A human has taken over.');

/** What a retry under the same key gets when the message was refused so long after it came. */
async function retryAfterRefusal(refusedAfterMs: number, refusal = HANDED_OFF): Promise<unknown> {
  const clock = new FakeClock();
  const jobs = new MessageJobs(clock, new Shutdown());
  let refuse = (_: Error) => {};
  const work = () => new Promise<SentMessage>((_, reject) => (refuse = reject));
  const first = jobs.outcome('msg_1', WINDOW_MS, work).catch((error: unknown) => error);
  await clock.advance(refusedAfterMs);
  refuse(refusal);
  await first;
  await settle();
  return jobs.outcome('msg_1', WINDOW_MS, () => Promise.reject(new Error('worked on anew'))).catch((error: unknown) => error);
}

describe('a message that is refused', () => {
  it('at the very end of its window tells the next request under its key, since the first was told of a timeout', async () => {
    expect(await retryAfterRefusal(WINDOW_MS)).toBe(HANDED_OFF);
  });

  it('by a failure of ours is worked on anew', async () => {
    const failure = new DomainError('internal_error', 'A stored message is missing.');
    expect(await retryAfterRefusal(WINDOW_MS, failure)).toMatchObject({ message: 'worked on anew' });
  });

  it('within its window has told its request, and the next one is worked on anew', async () => {
    expect(await retryAfterRefusal(WINDOW_MS - 1)).toMatchObject({ message: 'worked on anew' });
  });
});

describe('windows', () => {
  it('are each over at their own time, whichever began first', async () => {
    const clock = new FakeClock();
    const jobs = new MessageJobs(clock, new Shutdown());
    const began = clock.now();
    const never = () => new Promise<SentMessage>(() => undefined);
    const over: number[] = [];
    const lengths = [30_000, 10_000, 20_000, 10_000];
    for (const [index, length] of lengths.entries()) {
      jobs.outcome(`msg_${index}`, length, never).catch(() => over.push(clock.now() - began));
    }
    for (let second = 1; second <= 30; second++) await clock.advance(1_000);
    expect(over).toEqual([10_000, 10_000, 20_000, 30_000]);
  });
});
