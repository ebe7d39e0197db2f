import { DomainError } from '@domain/kernel/domain-error';
import { FakeClock, settle } from '@testing/fake-clock';
import { Shutdown } from '../../runtime/shutdown.js';
import type { PostedMessage } from '../conversation.commands.js';
import { PendingReplies } from './pending-replies.js';

const WINDOW_MS = 30_000;
const NOT_UNDER_WAY = 'not under way';
const HANDED_OFF = new DomainError('conversation_handed_off', 'A human has taken over.');

/** The error of a retry under the same key, when the message was refused this long after its arrival. */
async function retryAfterRefusal(refusedAfterMs: number, refusal = HANDED_OFF): Promise<unknown> {
  const clock = new FakeClock();
  const replies = new PendingReplies(clock, new Shutdown());
  const message = replies.open('msg_1', WINDOW_MS);
  let refuse = (_: Error) => {};
  message.follow(new Promise<PostedMessage>((_, reject) => (refuse = reject)));
  const first = replies.replyTo(message, WINDOW_MS).catch((error: unknown) => error);
  await clock.advance(refusedAfterMs);
  refuse(refusal);
  await first;
  await settle();
  try {
    return replies.find('msg_1') ?? NOT_UNDER_WAY;
  } catch (error) {
    return error;
  }
}

describe('a message that is refused', () => {
  it('at the very end of its window tells the next request under its key, since the first was told of a timeout', async () => {
    expect(await retryAfterRefusal(WINDOW_MS)).toBe(HANDED_OFF);
  });

  it('by a failure of ours is worked on anew', async () => {
    const failure = new DomainError('internal_error', 'A stored message is missing.');
    expect(await retryAfterRefusal(WINDOW_MS, failure)).toBe(NOT_UNDER_WAY);
  });

  it('within its window has told its request, and the next one is worked on anew', async () => {
    expect(await retryAfterRefusal(WINDOW_MS - 1)).toBe(NOT_UNDER_WAY);
  });
});

describe('windows', () => {
  it('are each over at their own time, whichever began first', async () => {
    const clock = new FakeClock();
    const replies = new PendingReplies(clock, new Shutdown());
    const began = clock.now();
    const over: number[] = [];
    const lengths = [30_000, 10_000, 20_000, 10_000];
    for (const [index, length] of lengths.entries()) {
      const message = replies.open(`msg_${index}`, length);
      replies.replyTo(message, length).catch(() => over.push(clock.now() - began));
    }
    for (let second = 1; second <= 30; second++) await clock.advance(1_000);
    expect(over).toEqual([10_000, 10_000, 20_000, 30_000]);
  });

  it('of a retry is its own, however long the first one has waited', async () => {
    const clock = new FakeClock();
    const replies = new PendingReplies(clock, new Shutdown());
    const message = replies.open('msg_1', 10_000);
    const first = replies.replyTo(message, 10_000).catch((error: DomainError) => error.code);
    await clock.advance(9_000);
    let isOver = false;
    const retry = replies.replyTo(replies.find('msg_1')!, 5_000).catch(() => void (isOver = true));
    await clock.advance(1_000);
    expect([await first, isOver]).toEqual(['reply_timeout', false]);
    await clock.advance(4_000);
    await retry;
    expect(isOver).toBe(true);
  });

  it('leave no timer behind once the reply is there', async () => {
    const clock = new FakeClock();
    const replies = new PendingReplies(clock, new Shutdown());
    const message = replies.open('msg_1', 10_000);
    const reply = replies.replyTo(message, 10_000);
    message.follow(Promise.resolve({} as PostedMessage));
    await reply;
    await settle();
    expect(clock.pending).toBe(0);
  });
});
