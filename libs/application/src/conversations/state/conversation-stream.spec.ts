import { EventStore, StoreUnavailable } from '@ports/event-store.port';
import { FakeClock } from '@testing/fake-clock';
import { grownOrAt } from './conversation-stream.js';

describe('waiting for a conversation to grow', () => {
  const storeThat = (changed: EventStore['changed']) => ({ changed }) as EventStore;

  it('leaves no timer behind when the store fails', async () => {
    const clock = new FakeClock();
    const store = storeThat(() => Promise.reject(new StoreUnavailable('closed')));
    await expect(grownOrAt(store, clock, 'conversation-1', 0, clock.now() + 60_000)).rejects.toThrow(StoreUnavailable);
    expect(clock.pending).toBe(0);
  });

  it('ends at the given instant, and then watches the stream no more', async () => {
    const clock = new FakeClock();
    let watched: AbortSignal | undefined;
    const store = storeThat((_stream, _revision, signal) => ((watched = signal), new Promise(() => undefined)));
    const waiting = grownOrAt(store, clock, 'conversation-1', 0, clock.now() + 60_000);
    await clock.advance(60_000);
    await waiting;
    expect(watched?.aborted).toBe(true);
  });
});
