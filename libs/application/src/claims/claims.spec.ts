import fc from 'fast-check';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { claimDecider, type ClaimEvent } from '@domain/claim/claim.decider';
import { fold } from '@domain/kernel/decider';
import { ConversationWorld } from '@testing/conversation-world';
import { FakeIds } from '@testing/fake-ids';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { Claims } from './claims.js';

let world: ConversationWorld;
beforeEach(async () => void (world = await ConversationWorld.create()));
afterEach(() => world.close());

const claim = (holder: string, changes: object = {}) =>
  world.claims.acquire({
    ...{ kind: 'booking', projectId: 'prj_1', value: 'nine', holder, creation: holder, commandId: `for ${holder}` },
    ...{ queues: true, hasLeft: () => Promise.resolve(false) },
    ...changes,
  } as const);

describe('the line behind the holder of a value', () => {
  it('has a hundred in it with the holder; who comes then is told who holds it, and keeps no place', async () => {
    for (let n = 0; n < 105; n++) expect(await claim(`apt_${n}`)).toMatchObject({ holder: 'apt_0', won: n === 0 });
    const claimed = await world.claims.holdersSince('booking', 'prj_1', 'nine', 0);
    expect(claimed).toEqual(Array.from({ length: 100 }, (_, n) => `apt_${99 - n}`));
  });

  it('is joined by none but those who ask for it', async () => {
    for (const holder of ['apt_0', 'apt_1']) expect(await claim(holder, { queues: false })).toMatchObject({ holder: 'apt_0' });
    expect(await world.claims.holdersSince('booking', 'prj_1', 'nine', 0)).toHaveLength(1);
  });

  it('keeps the place of whoever is in it, though it is full', async () => {
    for (let n = 0; n < 105; n++) await claim(`apt_${n}`);
    await claim('apt_7', { renews: true, commandId: 'again' });
    await claim('apt_103', { renews: true, commandId: 'once more' });
    const claimed = await world.claims.holdersSince('booking', 'prj_1', 'nine', 0);
    expect([claimed.length, claimed[0]]).toEqual([101, 'apt_7']);
  });

  it('has room again once those at its head have left', async () => {
    for (let n = 0; n < 105; n++) await claim(`apt_${n}`);
    const hasLeft = (holder: string) => Promise.resolve(holder === 'apt_0');
    expect(await claim('apt_later', { hasLeft })).toMatchObject({ holder: 'apt_1' });
    expect(await claim('apt_late', { hasLeft })).toMatchObject({ holder: 'apt_1' });
    const [newest] = await world.claims.holdersSince('booking', 'prj_1', 'nine', 0);
    expect(newest).toBe('apt_later');
  });
});

describe('a value that hardly anybody else holds', () => {
  it('takes no place in memory once it is claimed, and is found held all the same', async () => {
    const known = (value: string) => world.claims.knownHolder('booking', 'prj_1', value);
    for (const value of ['nine', 'ten']) await claim('apt_0', { value, seldomHeld: value === 'ten' });
    expect([known('nine'), known('ten')]).toEqual(['apt_0', null]);
    expect(await claim('apt_1', { value: 'ten', seldomHeld: true, queues: false })).toMatchObject({
      holder: 'apt_0',
      won: false,
    });
  });
});

describe('a process that did not see a value claimed', () => {
  /** Looks the holder of a value up in a new process; returns what it knows then and how many claims it read. */
  async function met(value: string) {
    const { ports, clock } = world;
    const streams = new StreamRunner(ports.events, new StreamCache(ports.events), clock, new FakeIds(clock));
    const claims = new Claims(streams, ports.events, new NodeCryptoSecrets(Buffer.alloc(32, 7)), clock);
    const read = jest.spyOn(ports.events, 'read');
    await claims.holder('booking', 'prj_1', value);
    const [stream = ''] = read.mock.calls[0] ?? [];
    const parts = await Promise.all(read.mock.results.map((result) => result.value));
    read.mockRestore();
    const whole = (await ports.events.read<ClaimEvent>(stream)).map(({ event }) => event);
    return { known: streams.cache.get(stream)?.state, state: fold(claimDecider, whole), read: parts.flat().length };
  }

  it('knows of it what one knows that saw every claim', async () => {
    const someone = fc.integer({ min: 0, max: 4 });
    const claiming = fc.record({ who: someone, queues: fc.boolean(), renews: fc.boolean(), gone: fc.uniqueArray(someone) });
    let value = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(claiming, { minLength: 1, maxLength: 25 }), async (claims) => {
        value++;
        for (const [index, { who, gone, ...how }] of claims.entries()) {
          const hasLeft = (holder: string) => Promise.resolve(gone.some((n) => holder === `apt_${n}`));
          await claim(`apt_${who}`, { ...how, value: `value ${value}`, hasLeft, commandId: `${value} ${index}` });
        }
        const { known, state } = await met(`value ${value}`);
        expect(known).toEqual(state);
      }),
      { numRuns: 60 },
    );
  });

  it('reads a few of them, however often it was claimed', async () => {
    for (let n = 0; n < 500; n++) await claim(`apt_${n}`, { hasLeft: () => Promise.resolve(true) });
    const { known, state, read } = await met('nine');
    expect([known, read]).toEqual([state, expect.any(Number)]);
    expect(read).toBeLessThanOrEqual(200);
  });

  it('knows a line that was never empty, however long ago it began', async () => {
    await claim('apt_0');
    for (let n = 0; n < 1_100; n++) await claim('apt_1', { renews: true, commandId: `again ${n}` });
    const { known, state } = await met('nine');
    expect([known, state.claimants.map(({ holder }) => holder)]).toEqual([state, ['apt_0', 'apt_1']]);
  });
});
