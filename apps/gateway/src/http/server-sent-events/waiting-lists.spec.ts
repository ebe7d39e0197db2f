import { EventEmitter } from 'node:events';
import type { FastifyRequest } from 'fastify';
import type { ChangeFeed, ChangeListener, Listening } from '@application/changes/change-feed';
import { Shutdown } from '@application/runtime/shutdown';
import { FakeClock, settle } from '@testing/fake-clock';
import type { AnswerBudget } from '../pipeline/answer-budget.js';
import { WaitingLists, type ReadList } from './waiting-lists.js';
import { WaitingPlaces } from './waiting-places.js';

type Object = 'conversation' | 'customer';

let clock: FakeClock;
let shutdown: Shutdown;
let places: WaitingPlaces;
let listeners: Set<ChangeListener>;
let socket: EventEmitter & { destroyed: boolean };
/** Shares of the project's budget that are held. */
let held: number;
let reads: number;
let items: string[];

beforeEach(() => {
  [clock, shutdown, places, listeners] = [new FakeClock(), new Shutdown(), new WaitingPlaces(), new Set()];
  [held, reads, items] = [1, 0, []];
  socket = Object.assign(new EventEmitter(), { destroyed: false });
});

const listen = (_: string, __: string | null, listener: ChangeListener): Promise<Listening> => {
  listeners.add(listener);
  return Promise.resolve({ from: '0', missed: [], leave: () => void listeners.delete(listener) });
};

function changed(object: Object): void {
  for (const listener of listeners) listener([{ object, id: 'id_1', projectId: 'prj_1', position: '1' }], '1');
}

const read = (): Promise<ReadList<string[]>> => {
  reads += 1;
  return Promise.resolve({ list: items, isEmpty: items.length === 0 });
};

function ask(
  waitMs: number,
  how = read,
  projectId = 'prj_1',
  keyId: string | null = 'key_1',
): { answer: string[] | null; work: Promise<void> } {
  const slot = () => ({ charge: () => undefined, leave: () => (held -= 1) });
  const request = { raw: { socket }, state: { answerSlot: slot() } };
  const reserve = () => {
    held += 1;
    request.state.answerSlot = slot();
  };
  const waiting = new WaitingLists(
    places,
    { listen } as unknown as ChangeFeed,
    { reserve } as unknown as AnswerBudget,
    clock,
    shutdown,
  );
  const asked = { answer: null as string[] | null, work: Promise.resolve() };
  const answered = waiting.filled(
    request as unknown as FastifyRequest,
    { waitMs, caller: { projectId, keyId }, object: 'conversation' },
    how,
  );
  asked.work = answered.then((list) => void (asked.answer = list));
  return asked;
}

describe('a list that is waited for', () => {
  it('is answered at once where there is something, or nobody waits', async () => {
    const without = ask(0);
    await settle();
    items = ['one'];
    const filled = ask(30_000);
    await settle();
    expect([without.answer, filled.answer, reads, listeners.size, clock.pending]).toEqual([[], ['one'], 2, 0, 0]);
  });

  it('is answered once it has something, after a change of what it lists', async () => {
    const waiting = ask(30_000);
    await settle();
    const readBefore = reads;
    changed('customer');
    await settle();
    expect([waiting.answer, reads]).toEqual([null, readBefore]);
    items = ['one'];
    changed('conversation');
    await settle();
    expect([waiting.answer, listeners.size, clock.pending, socket.listenerCount('close')]).toEqual([['one'], 0, 0, 0]);
  });

  it('is answered as well where the change came before the waiting began', async () => {
    const waiting = ask(30_000, () => {
      const found = read();
      items = ['one'];
      return found;
    });
    await settle();
    expect(waiting.answer).toEqual(['one']);
  });

  it('misses no change that comes while it is read', async () => {
    let duringRead = (): void => undefined;
    const waiting = ask(30_000, () => {
      const found = read();
      duringRead();
      return found;
    });
    await settle();
    duringRead = () => {
      duringRead = () => undefined;
      items = ['one'];
      changed('conversation');
    };
    changed('conversation');
    await settle();
    expect(waiting.answer).toEqual(['one']);
  });

  it('is empty after the wait', async () => {
    const waiting = ask(30_000);
    await clock.advance(29_999);
    expect(waiting.answer).toBeNull();
    await clock.advance(1);
    expect([waiting.answer, listeners.size]).toEqual([[], 0]);
  });

  it('ends at once at the shutdown, also one that begins then', async () => {
    const waiting = ask(30_000);
    await settle();
    shutdown.begin();
    const late = ask(30_000);
    await settle();
    expect([waiting.answer, late.answer, clock.pending]).toEqual([[], [], 0]);
  });

  it('is not read again once its client has left', async () => {
    const waiting = ask(30_000);
    await settle();
    const readBefore = reads;
    socket.emit('close');
    await settle();
    expect([waiting.answer, reads, listeners.size, clock.pending]).toEqual([[], readBefore, 0, 0]);
  });

  it('holds a share of the answers of its project only while it is read', async () => {
    const waiting = ask(30_000, async () => {
      expect(held).toBe(1);
      return read();
    });
    await settle();
    expect(held).toBe(0);
    items = ['one'];
    changed('conversation');
    await waiting.work;
    expect(held).toBe(1);
  });

  it('is read again where more may belong before what is there, also past its wait', async () => {
    const reread = { at: clock.now() + 500, read: () => Promise.resolve({ list: ['earlier', 'one'], isEmpty: false }) };
    const waiting = ask(100, () => Promise.resolve({ list: ['one'], isEmpty: false, reread }));
    await clock.advance(499);
    expect(waiting.answer).toBeNull();
    await clock.advance(1);
    expect(waiting.answer).toEqual(['earlier', 'one']);
  });

  it('is refused where too many of the project wait, but for an administrator', async () => {
    const leaves = Array.from({ length: 500 }, () => places.enter('prj_1'));
    await expect(ask(30_000).work).rejects.toMatchObject({ code: 'service_unavailable', details: { retryAfter: 2 } });
    const byAdmin = ask(30_000, read, 'prj_1', null);
    leaves[0]!();
    const waiting = ask(30_000);
    await clock.advance(30_000);
    expect([waiting.answer, byAdmin.answer]).toEqual([[], []]);
    await expect(ask(0).work).resolves.toBeUndefined();
  });

  it('is refused where the log is away, and leaves nothing behind', async () => {
    listeners.add = () => {
      throw new Error('away');
    };
    await expect(ask(30_000).work).rejects.toThrow('away');
    expect([clock.pending, socket.listenerCount('close')]).toEqual([0, 0]);
  });
});
