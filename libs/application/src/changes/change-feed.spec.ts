import { Logger } from '@nestjs/common';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedEngine, type EmbeddedPorts } from '@engine-embedded/open-embedded-engine';
import { StoreUnavailable, type Position } from '@ports/event-store.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { ChangeFeed, type Listening } from './change-feed.js';
import type { ChangeBatch } from './pending-changes.js';

Logger.overrideLogger(false);

const SHORT = 250;

let directory: string;
let clock: FakeClock;
let ports: EmbeddedPorts;
let feed: ChangeFeed;
let subscriptions: number;
let open: number;
const revisions = new Map<string, number>();

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'changes-'));
  clock = new FakeClock();
  ports = await openEmbeddedEngine(directory, clock);
  [subscriptions, open] = [0, 0];
  const subscribe = ports.events.subscribe.bind(ports.events);
  jest.spyOn(ports.events, 'subscribe').mockImplementation(async function* (from, options) {
    [subscriptions, open] = [subscriptions + 1, open + 1];
    try {
      yield* subscribe(from, options);
    } finally {
      open -= 1;
    }
  });
  feed = new ChangeFeed(ports.events, clock);
  revisions.clear();
});
afterEach(async () => {
  await ports.engine.close();
  rmSync(directory, { recursive: true, force: true });
});

async function append(stream: string, event: object): Promise<Position> {
  const ids = new FakeIds(clock, subscriptions + revisions.size + (revisions.get(stream) ?? 0) + 1);
  const before = revisions.get(stream);
  const batch = [{ id: ids.uuid(), event: { at: 1, ...event } as never }];
  const { revision, position } = await ports.events.append(stream, batch, before ?? 'none');
  revisions.set(stream, revision);
  return position;
}

const customer = (id: string, projectId = 'prj_1') => append(`customer-${id}`, { type: 'CustomerCreated', projectId });
const update = (id: string) => append(`customer-${id}`, { type: 'CustomerUpdated' });

/** A listener, and the ids that it was told of, with their positions. */
class Ear {
  readonly told: (readonly string[] | null)[] = [];
  readonly positions: Position[] = [];
  listening!: Listening;

  static async of(projectId = 'prj_1', since: Position | null = null): Promise<Ear> {
    const ear = new Ear();
    ear.listening = await feed.listen(projectId, since, (batch) => ear.take(batch));
    return ear;
  }

  get missed(): readonly string[] | null {
    return idsIn(this.listening.missed);
  }

  private take(batch: ChangeBatch): void {
    this.told.push(idsIn(batch));
    this.positions.push(...(batch ?? []).map(({ position }) => position));
  }
}

const idsIn = (batch: ChangeBatch) => batch && batch.map(({ id }) => id);

/** Lets the feed read what was appended, then a short time pass. */
async function soon(): Promise<void> {
  for (let n = 0; n < 5; n++) await settle();
  await clock.advance(SHORT);
}

describe('a listener', () => {
  it('is told of the changes of its project alone, in order', async () => {
    const ear = await Ear.of();
    await customer('cust_1');
    await customer('cust_2', 'prj_2');
    await customer('cust_3');
    await soon();
    expect(ear.told).toEqual([['cust_1', 'cust_3']]);
  });

  it('is told once of several changes within a short time, with the position of the last', async () => {
    const ear = await Ear.of();
    await customer('cust_1');
    await customer('cust_2');
    const last = await update('cust_1');
    await soon();
    expect(ear.told).toEqual([['cust_2', 'cust_1']]);
    expect(ear.positions.at(-1)).toBe(last);
    expect(feed.position).toBe(last);
  });

  it('is told again of a later change', async () => {
    const ear = await Ear.of();
    await customer('cust_1');
    await soon();
    await update('cust_1');
    await soon();
    expect(ear.told).toEqual([['cust_1'], ['cust_1']]);
  });

  it('is told of changes of streams whose events do not name their project', async () => {
    await customer('cust_1');
    await customer('cust_2', 'prj_2');
    const ear = await Ear.of();
    await update('cust_1');
    await update('cust_2');
    await soon();
    expect(ear.told).toEqual([['cust_1']]);
  });

  it('is told of nothing that was there when it came', async () => {
    await customer('cust_1');
    const ear = await Ear.of();
    await soon();
    expect([ear.told, ear.missed]).toEqual([[], []]);
  });

  it('is told that there are too many beyond a thousand', async () => {
    const ear = await Ear.of();
    const paused = (n: number) => ({
      id: new FakeIds(clock, n).uuid(),
      event: { type: 'EndpointPaused', at: 1, endpointId: `we_${n}` },
    });
    await ports.events.append('endpoints-prj_1', Array.from({ length: 1_001 }, (_, n) => paused(n + 1)) as never, 'none');
    await soon();
    expect(ear.told).toEqual([null]);
  });

  it('is told to begin anew where another log took the place of this one', async () => {
    const ear = await Ear.of();
    jest.spyOn(ports.events, 'subscribe').mockImplementationOnce(() => {
      throw new StoreUnavailable('replaced');
    });
    ear.listening.leave();
    const again = await Ear.of();
    jest.spyOn(ports.events, 'holds').mockResolvedValueOnce(false);
    await clock.advance(60_000);
    expect(again.told).toEqual([null]);
  });
});

describe('a listener that goes on', () => {
  it('gets what it missed, and everything after', async () => {
    const since = await customer('cust_1');
    await customer('cust_3', 'prj_2');
    await customer('cust_2');
    const ear = await Ear.of('prj_1', since);
    await customer('cust_4');
    await soon();
    expect([ear.missed, ear.told]).toEqual([['cust_2'], [['cust_4']]]);
  });

  it('gets what another listener is about to be told of, once', async () => {
    await Ear.of('prj_2');
    const since = await ports.events.head();
    await customer('cust_1');
    for (let n = 0; n < 5; n++) await settle();
    const ear = await Ear.of('prj_1', since);
    await soon();
    expect([ear.missed, ear.told]).toEqual([['cust_1'], []]);
  });

  it('misses nothing while events come', async () => {
    const since = await customer('cust_0');
    const coming = (async () => {
      for (let n = 1; n <= 60; n++) await customer(`cust_${n}`);
    })();
    const ears: Ear[] = [];
    for (let n = 0; n < 6; n++) {
      ears.push(await Ear.of('prj_1', since));
      await soon();
    }
    await coming;
    await soon();
    const all = Array.from({ length: 60 }, (_, n) => `cust_${n + 1}`).toSorted();
    for (const { missed, told } of ears) expect([...missed!, ...told.flatMap((ids) => ids!)].toSorted()).toEqual(all);
  });

  it.each(['nothing', '1', '0'.repeat(19) + 'x', '9'.repeat(20)])('begins anew after %s', async (since) => {
    await customer('cust_1');
    const ear = await Ear.of('prj_1', since);
    expect(ear.missed).toBeNull();
  });

  it('begins anew where it missed too much', async () => {
    const since = await customer('cust_0');
    await update('cust_0');
    await Ear.of('prj_2');
    const { events } = ports;
    jest.spyOn(events, 'subscribe').mockImplementationOnce(async function* (from, { signal }) {
      const [event] = await events.read('customer-cust_0', { from: 1 });
      // A log that grows faster than it is read.
      while (!signal.aborted) yield { events: Array.from({ length: 128 }, () => event!), upTo: from };
    });
    expect((await Ear.of('prj_1', since)).missed).toBeNull();
  });
});

describe('the log', () => {
  it('is read once for all listeners, and not at all without any', async () => {
    expect(open).toBe(0);
    const ears = [await Ear.of(), await Ear.of(), await Ear.of('prj_2')];
    expect(open).toBe(1);
    for (const { listening } of ears) listening.leave();
    await settle();
    expect(open).toBe(0);
    await customer('cust_1');
    const ear = await Ear.of();
    expect([open, subscriptions]).toEqual([1, 2]);
    await customer('cust_2');
    await soon();
    expect(ear.told).toEqual([['cust_2']]);
  });

  it('is read on after an outage, without a gap', async () => {
    const ear = await Ear.of();
    ear.listening.leave();
    jest.spyOn(ports.events, 'subscribe').mockImplementationOnce(() => {
      throw new StoreUnavailable('away');
    });
    const again = await Ear.of();
    await customer('cust_1');
    await clock.advance(60_000);
    await soon();
    expect(again.told).toEqual([['cust_1']]);
  });

  it('may be away when the first listener comes, which is refused, and back for the next', async () => {
    jest.spyOn(ports.events, 'head').mockRejectedValueOnce(new StoreUnavailable('away'));
    await expect(Ear.of()).rejects.toThrow(StoreUnavailable);
    const ear = await Ear.of();
    await customer('cust_1');
    await soon();
    expect(ear.told).toEqual([['cust_1']]);
  });
});
