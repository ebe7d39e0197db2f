import fc from 'fast-check';
import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { claimDecider, type ClaimEvent } from '@domain/claim/claim.decider';
import { fold } from '@domain/kernel/decider';
import { originOf } from '@testing/envelopes';
import { ConversationWorld } from '@testing/conversation-world';
import { FakeIds } from '@testing/fake-ids';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { Claims } from './claims.js';

let world: ConversationWorld;
beforeEach(async () => void (world = await ConversationWorld.create()));
afterEach(() => world.close());

const PROJECT = 'prj_1';
const secrets = new NodeCryptoSecrets(Buffer.alloc(32, 7));
const streamOf = (value: string) => `booking-${PROJECT}.${secrets.keyedHash('claims', `${PROJECT}\nbooking\n${value}`)}`;

const claim = (holder: string, changes: object = {}) =>
  world.claims.acquire({
    kind: 'booking',
    projectId: PROJECT,
    value: 'nine',
    holder,
    creation: holder,
    origin: originOf(`for ${holder}`),
    hasLeft: () => Promise.resolve(false),
    ...changes,
  } as const);

/** Stores claims as earlier versions did, each behind so many of those before it. */
async function stored(value: string, line: readonly { readonly holder: string; readonly behind?: number }[]): Promise<void> {
  const batch = line.map(({ holder, behind }) => {
    const event: ClaimEvent = { type: 'Claimed', at: 1, holder, creation: holder, ...(behind && { behind }) };
    return { id: world.ids.uuid(), event, text: JSON.stringify(event) };
  });
  await world.ports.events.append(streamOf(value), batch, 'none');
}

const gone =
  (...holders: readonly string[]) =>
  (holder: string) =>
    Promise.resolve(holders.includes(holder));

describe('a value that another holds', () => {
  it('is claimed by none who comes, and nothing is stored of that', async () => {
    await claim('apt_0');
    for (let n = 1; n < 5; n++) expect(await claim(`apt_${n}`, { renews: true })).toMatchObject({ holder: 'apt_0', won: false });
    expect(await world.claims.holdersSince('booking', PROJECT, 'nine', 0)).toEqual(['apt_0']);
  });

  it('is free for the next who comes once its holder has left, whoever came before', async () => {
    await claim('apt_0');
    await claim('apt_1');
    expect(await claim('apt_2', { hasLeft: gone('apt_0') })).toMatchObject({ holder: 'apt_2', won: true });
  });
});

describe('a value whose stream a later version has added an event to', () => {
  it('is still held by who claimed it, also for a process that reads the claim anew', async () => {
    await stored('nine', [{ holder: 'apt_0' }]);
    const event = { type: 'SomethingOfALaterVersion', at: 2 };
    await world.ports.events.append(streamOf('nine'), [{ id: world.ids.uuid(), event, text: JSON.stringify(event) }], 0);
    expect(await claim('apt_1')).toMatchObject({ holder: 'apt_0', won: false });
    expect(await world.claims.holdersSince('booking', PROJECT, 'nine', 0)).toEqual(['apt_0']);
    expect(await claim('apt_2', { hasLeft: gone('apt_0') })).toMatchObject({ holder: 'apt_2', won: true });
  });
});

describe('a line behind the holder that an earlier version stored', () => {
  const line = [{ holder: 'apt_0' }, { holder: 'apt_1', behind: 1 }, { holder: 'apt_2', behind: 2 }];

  it('is respected: who is in it holds the value once those before have left', async () => {
    await stored('nine', line);
    expect(await claim('apt_9')).toMatchObject({ holder: 'apt_0' });
    expect(await claim('apt_9', { hasLeft: gone('apt_0') })).toMatchObject({ holder: 'apt_1' });
    expect(await claim('apt_9', { hasLeft: gone('apt_0', 'apt_1') })).toMatchObject({ holder: 'apt_2' });
    expect(await world.claims.holdersSince('booking', PROJECT, 'nine', 0)).toHaveLength(3);
  });

  it('gives no place to one of it who left and comes back', async () => {
    await stored('nine', line);
    expect(await claim('apt_0', { renews: true })).toMatchObject({ holder: 'apt_1', won: false });
    expect(await world.claims.holdersSince('booking', PROJECT, 'nine', 0)).toHaveLength(3);
  });

  it('is over once all of it have left', async () => {
    await stored('nine', line);
    const hasLeft = gone('apt_0', 'apt_1', 'apt_2');
    expect(await claim('apt_9', { hasLeft })).toMatchObject({ holder: 'apt_9', won: true });
    expect(await claim('apt_1', { renews: true, hasLeft })).toMatchObject({ holder: 'apt_9', won: false });
  });
});

describe('a value that hardly anybody else holds', () => {
  it('takes no place in memory once it is claimed, and is found held all the same', async () => {
    const known = (value: string) => world.claims.knownHolder('booking', 'prj_1', value);
    for (const value of ['nine', 'ten']) await claim('apt_0', { value, seldomHeld: value === 'ten' });
    expect([known('nine'), known('ten')]).toEqual(['apt_0', null]);
    expect(await claim('apt_1', { value: 'ten', seldomHeld: true })).toMatchObject({
      holder: 'apt_0',
      won: false,
    });
  });
});

describe('a process that did not see a value claimed', () => {
  /** Looks the holder of a value up in a new process; returns what it knows then and how many claims it read. */
  async function meet(value: string) {
    const { ports, clock } = world;
    const streams = new StreamRunner(ports.events, new StreamCache(ports.events), clock, new FakeIds(clock));
    const claims = new Claims(streams, ports.events, secrets, clock);
    const read = jest.spyOn(ports.events, 'read');
    await claims.holder('booking', 'prj_1', value);
    const [stream = ''] = read.mock.calls[0] ?? [];
    const parts = await Promise.all(read.mock.results.map((result) => result.value));
    read.mockRestore();
    const whole = (await ports.events.read<ClaimEvent>(stream)).map(({ event }) => event);
    return { known: streams.cache.get(stream)?.state, state: fold(claimDecider, whole), read: parts.flat().length };
  }

  it('knows of it what one knows that saw every claim, with every line that earlier versions could store', async () => {
    const claiming = fc.record({ who: fc.integer({ min: 0, max: 4 }), behind: fc.integer({ min: 0, max: 4 }) });
    let value = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(claiming, { minLength: 1, maxLength: 25 }), async (claims) => {
        value++;
        let state = claimDecider.initial;
        const line = claims.map(({ who, behind }) => {
          const one = { holder: `apt_${who}`, behind: Math.min(behind, state.claimants.length) };
          state = claimDecider.evolve(state, { type: 'Claimed', at: 1, creation: null, ...one });
          return one;
        });
        await stored(`value ${value}`, line);
        const met = await meet(`value ${value}`);
        expect(met.known).toEqual(met.state);
      }),
      { numRuns: 60 },
    );
  });

  it('reads a few of them, however often it was claimed', async () => {
    for (let n = 0; n < 500; n++) await claim(`apt_${n}`, { hasLeft: () => Promise.resolve(true) });
    const { known, state, read } = await meet('nine');
    expect([known, read]).toEqual([state, expect.any(Number)]);
    expect(read).toBeLessThanOrEqual(200);
  });

  it('knows a line that was never empty, however long ago it began', async () => {
    await stored('nine', [
      { holder: 'apt_0' },
      ...Array.from({ length: 1_100 }, (_, n) => ({ holder: 'apt_1', behind: n === 0 ? 1 : 2 })),
    ]);
    const { known, state } = await meet('nine');
    expect([known, state.claimants.map(({ holder }) => holder)]).toEqual([state, ['apt_0', 'apt_1']]);
  });
});
