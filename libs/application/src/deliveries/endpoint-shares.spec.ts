import { settle } from '@testing/fake-clock';
import { Shutdown } from '../shutdown.js';
import type { DeliveryPointer } from './delivery-pointer.js';
import { EndpointShares, type SharedWork } from './endpoint-shares.js';

let shares: EndpointShares;
let shutdown: Shutdown;
let begun: string[];
let answer: Map<string, (well: boolean | null) => void>;
let finish: Map<string, () => void>;
let stored: DeliveryPointer[];
let over: Set<string>;
let work: SharedWork;

beforeEach(() => {
  shutdown = new Shutdown();
  shares = new EndpointShares(shutdown);
  begun = [];
  answer = new Map();
  finish = new Map();
  stored = [];
  over = new Set();
  work = {
    attempt: ({ deliveryId }, answered) => {
      begun.push(deliveryId);
      answer.set(deliveryId, answered);
      return new Promise((resolve) => finish.set(deliveryId, resolve));
    },
    due: (_pointer, limit) => Promise.resolve(stored.filter(({ deliveryId }) => !over.has(deliveryId)).slice(0, limit)),
  };
});

function pointer(deliveryId: string, endpointId = 'we_1'): DeliveryPointer {
  return { eventId: 'evt', deliveryId, projectId: 'prj', endpointId, appointmentId: 'apt', attempt: 1, dueAt: 0 };
}
function end(deliveryId: string, well = false): void {
  over.add(deliveryId);
  answer.get(deliveryId)?.(well);
  finish.get(deliveryId)?.();
}
async function done(deliveryId: string, well = false): Promise<void> {
  end(deliveryId, well);
  await settle();
}
/** Ends whatever begins, until nothing does. */
async function allDone(well = false): Promise<void> {
  for (let n = 0; n < begun.length; n++) await done(begun[n] ?? '', well);
}

describe('the shares of endpoints', () => {
  it('are four attempts at a time, and let the partition go on', async () => {
    for (let n = 1; n <= 6; n++) expect(shares.admit(pointer(`d${n}`), work).kind).toBe('accepted');
    expect(begun).toEqual(['d1', 'd2', 'd3', 'd4']);
    await done('d2');
    expect(begun).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
    await done('d1');
    await done('d3');
    expect(begun).toHaveLength(6);
  });

  it('grow with every attempt that goes well, and are small again after one that does not', async () => {
    for (let n = 1; n <= 20; n++) shares.admit(pointer(`d${n}`), work);
    for (const id of ['d1', 'd2', 'd3']) await done(id, true);
    expect(begun).toHaveLength(4 + 3 + 3);
    for (const id of ['d4', 'd5', 'd6', 'd7', 'd8', 'd9', 'd10']) await done(id);
    expect(begun).toHaveLength(10 + 4);
  });

  it('grow to sixty-four and no further', async () => {
    for (let n = 1; n <= 200; n++) shares.admit(pointer(`d${n}`), work);
    for (let n = 1; n <= 100; n++) await done(`d${n}`, true);
    expect(shares.inFlight).toBe(64);
  });

  it('stay as they are when nothing was sent', async () => {
    const nothingSent = async (id: string) => {
      answer.get(id)?.(null);
      await done(id);
    };
    for (let n = 1; n <= 30; n++) shares.admit(pointer(`d${n}`), work);
    for (const id of ['d1', 'd2', 'd3', 'd4']) await nothingSent(id);
    expect(begun).toHaveLength(8);
    for (const id of ['d5', 'd6']) await done(id, true);
    await nothingSent('d7');
    expect(begun).toHaveLength(13);
  });

  it.each([
    [8, 272],
    [16, 304],
    [50, 398],
  ])(
    'are small while the pool is crowded: %i endpoints that answered well and hang take up %i attempts',
    async (count, taken) => {
      const endpoints = Array.from({ length: count }, (_, n) => `we_${n}`);
      for (let n = 1; n <= 70; n++) for (const endpoint of endpoints) shares.admit(pointer(`${endpoint}.${n}`, endpoint), work);
      await allDone(true);
      for (const endpoint of endpoints)
        for (let n = 101; n <= 170; n++) shares.admit(pointer(`${endpoint}.${n}`, endpoint), work);
      await settle();
      expect(shares.inFlight).toBe(taken);
      expect(shares.admit(pointer('other', 'we_other'), work).kind).toBe('accepted');
    },
  );

  it('are whole again once the pool is no longer crowded, for what waited first', async () => {
    for (let n = 0; n < 40; n++) {
      shares.admit(pointer(`before${n}`), work);
      await done(`before${n}`, true);
    }
    const others = Array.from({ length: 256 }, (_, n) => `other${n}`);
    for (const id of others) shares.admit(pointer(id, `we_${id}`), work);
    begun.length = 0;
    for (let n = 0; n < 10; n++) shares.admit(pointer(`d${n}`), work);
    expect(begun).toEqual(['d0', 'd1', 'd2', 'd3']);
    for (const id of others.slice(0, 5)) await done(id);
    expect(begun).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
    for (const id of others.slice(5)) await done(id);
    shares.admit(pointer('new'), work);
    expect(begun).toEqual([...Array.from({ length: 10 }, (_, n) => `d${n}`), 'new']);
  });

  it('let nothing pass what waits', async () => {
    for (let n = 0; n < 40; n++) {
      shares.admit(pointer(`before${n}`), work);
      await done(`before${n}`, true);
    }
    const others = Array.from({ length: 256 }, (_, n) => `other${n}`);
    for (const id of others) shares.admit(pointer(id, `we_${id}`), work);
    for (let n = 0; n < 6; n++) shares.admit(pointer(`d${n}`), work);
    begun.length = 0;
    for (const id of others.slice(0, 7)) end(id);
    shares.admit(pointer('new'), work);
    await settle();
    expect(begun).toEqual(['d4', 'd5', 'new']);
  });

  it('are given back when the endpoint has answered, before that is stored', async () => {
    for (let n = 1; n <= 6; n++) shares.admit(pointer(`d${n}`), work);
    answer.get('d2')?.(false);
    expect(begun).toEqual(['d1', 'd2', 'd3', 'd4', 'd5']);
    expect(shares.inFlight).toBe(5);
    await done('d2');
    expect(begun).toHaveLength(5);
    expect(shares.inFlight).toBe(4);
  });

  it('make the next attempt of a delivery when the last outcome of its endpoint is stored', async () => {
    for (const id of ['d1', 'd2']) shares.admit(pointer(id), work);
    for (const id of ['d1', 'd2']) answer.get(id)?.(false);
    await done('d1');
    shares.admit({ ...pointer('d2'), attempt: 2 }, work);
    await done('d2');
    expect(begun).toEqual(['d1', 'd2', 'd2']);
  });

  it('are used for what an endpoint was not told of while the outcome of its last attempt was stored', async () => {
    shares.admit(pointer('d1'), work);
    answer.get('d1')?.(false);
    shares.expectMore('we_1');
    expect(shares.looksUp('we_1')).toBe(true);
    stored = [pointer('d2')];
    await done('d1');
    expect(begun).toEqual(['d1', 'd2']);
  });

  it('count what is accepted as done only when it is, and what is put off at once', async () => {
    const first = shares.admit(pointer('d1'), work);
    let settled = false;
    if (first.kind === 'accepted') void first.done.then(() => (settled = true));
    await settle();
    expect(settled).toBe(false);
    await done('d1');
    expect(settled).toBe(true);
  });

  it('take a delivery once while it is in hand', async () => {
    for (let n = 0; n < 3; n++) shares.admit(pointer('d1'), work);
    expect(begun).toEqual(['d1']);
    expect(shares.knows('d1')).toBe(true);
    await done('d1');
    expect(shares.knows('d1')).toBe(false);
    expect(shares.inFlight).toBe(0);
  });

  it('take the next attempt of a delivery as soon as the one before is let go', async () => {
    for (const attempt of [1, 1, 2]) shares.admit({ ...pointer('d1'), attempt }, work);
    await done('d1');
    expect(begun).toEqual(['d1', 'd1']);
    await done('d1');
    expect(begun).toHaveLength(2);
  });

  it('hold a partition only when the whole pool is in use', async () => {
    for (let n = 0; n < 512; n++) shares.admit(pointer(`d${n}`, `we_${n}`), work);
    for (const [last, over] of [
      ['last', 'd7'],
      ['one more', 'd8'],
    ] as const) {
      const full = shares.admit(pointer(last, `we_${last}`), work);
      expect(full.kind).toBe('full');
      let room = false;
      if (full.kind === 'full') void full.space.then(() => (room = true));
      await settle();
      expect(room).toBe(false);
      await done(over);
      expect(room).toBe(true);
      expect(shares.admit(pointer(last, `we_${last}`), work).kind).toBe('accepted');
    }
  });

  it('let who waits for the pool in turn with endpoints in line', async () => {
    for (let e = 0; e < 224; e++) for (let n = 0; n < 6; n++) shares.admit(pointer(`d${e}.${n}`, `dead_${e}`), work);
    const offered = ['a', 'b', 'c'];
    const offer = () => {
      const admission = shares.admit(pointer(offered[0] ?? '', `we_${offered[0]}`), work);
      if (admission.kind === 'full') void admission.space.then(offer);
      else if (offered.shift() && offered.length > 0) offer();
    };
    offer();
    expect(begun).toHaveLength(512);
    for (let e = 96; e < 101; e++) await done(`d${e}.0`);
    expect(begun.slice(512)).toEqual(['a', 'd96.1', 'b', 'd97.1', 'c']);
    for (let e = 101; e < 104; e++) end(`d${e}.0`);
    await settle();
    expect(begun.slice(517)).toEqual(['d98.1', 'd99.1', 'd100.1']);
    expect(shares.inFlight).toBe(512);
  });

  it('leave room at any time for an endpoint that has nothing open, though two hundred hang', async () => {
    for (let e = 0; e < 200; e++) for (let n = 0; n < 20; n++) shares.admit(pointer(`d${e}.${n}`, `dead_${e}`), work);
    for (let n = 0; n < 1_500; n++) {
      expect(shares.admit(pointer(`good${n}`, 'we_good'), work).kind).toBe('accepted');
      expect(begun.at(-1)).toBe(`good${n}`);
      await done(`good${n}`, true);
      await done(begun.filter((id) => !id.startsWith('good'))[n] ?? '');
    }
  });

  it('look up what they could not remember', async () => {
    stored = Array.from({ length: 2_500 }, (_, n) => pointer(`d${n}`));
    for (const each of stored) shares.admit(each, work);
    await allDone();
    expect(new Set(begun).size).toBe(2_500);
    expect(begun).toHaveLength(2_500);
    expect(shares.inFlight).toBe(0);
  });

  it('look up what they will not be told of, once they have made what they were told', async () => {
    stored = Array.from({ length: 2_500 }, (_, n) => pointer(`d${n}`));
    shares.expectMore('we_1');
    expect(shares.looksUp('we_1')).toBe(false);
    shares.admit(stored[0]!, work);
    expect(shares.looksUp('we_1')).toBe(true);
    await allDone(true);
    expect(new Set(begun).size).toBe(2_500);
    expect(begun).toHaveLength(2_500);
  });

  it('look up again what could not be looked up, once there is more to do; until then it is the sweep’s', async () => {
    stored = Array.from({ length: 1_030 }, (_, n) => pointer(`d${n}`));
    const { due } = work;
    work.due = () => Promise.reject(new Error('out of reach'));
    for (const each of stored) shares.admit(each, work);
    expect(shares.looksUp('we_1')).toBe(true);
    await allDone(true);
    expect(begun).toHaveLength(1_004);
    expect(shares.looksUp('we_1')).toBe(false);
    work.due = due;
    shares.admit(stored[1_020]!, work);
    await allDone();
    expect(new Set(begun).size).toBe(1_030);
  });

  it('serve waiting endpoints in turn', async () => {
    for (const endpoint of ['a', 'b']) for (let n = 0; n < 6; n++) shares.admit(pointer(`${endpoint}${n}`, endpoint), work);
    expect(begun).toEqual(['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2', 'b3']);
    await done('a0');
    await done('b0');
    expect(begun.slice(8)).toEqual(['a4', 'b4']);
  });

  it('begin nothing once the process is to end, and say when the last attempt is over', async () => {
    for (let n = 1; n <= 6; n++) shares.admit(pointer(`d${n}`), work);
    shutdown.begin();
    expect(shares.admit(pointer('new', 'we_2'), work).kind).toBe('full');
    let settled = false;
    void shares.settled().then(() => (settled = true));
    for (const id of ['d1', 'd2', 'd3']) await done(id);
    expect(settled).toBe(false);
    await done('d4');
    expect(settled).toBe(true);
    expect(begun).toHaveLength(4);
  });
});
