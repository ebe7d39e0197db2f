import { StoreUnavailable } from '@ports/event-store.port';
import { ENVELOPE } from '@testing/envelopes';
import { IssueWorld } from '@testing/issue-world';

const S = 1_000;
const M = 60 * S;
const GIB = 2 ** 30;
const ABOUT = { stream: 'note-1', revision: 0, rows: [], error: 'TypeError', frames: [] };

let world: IssueWorld;
beforeEach(async () => {
  world = await IssueWorld.create();
});
afterEach(() => world.close());

const only = async () => {
  const issues = await world.issues();
  expect(issues).toHaveLength(1);
  return issues[0];
};

describe('a server of the engine that is away', () => {
  it('is an issue of the installation after half a minute, with its true times, until it is back for a minute', async () => {
    world.engine.servers.set('Kafka', true);
    await world.elapse(10 * S, S);
    world.engine.servers.set('Kafka', false);
    await world.elapse(30 * S, S);
    expect(await world.issues()).toEqual([]);
    await world.elapse(3 * S, S);
    const { clock } = world.ledger;
    expect(await only()).toMatchObject({
      kind: 'server_away',
      projectId: null,
      subject: { object: 'server', id: 'Kafka' },
      name: 'Kafka',
      status: 'open',
      count: 1,
    });
    expect(clock.now() - (await only())!.firstSeenAt).toBeLessThanOrEqual(33 * S);
    world.engine.servers.set('Kafka', true);
    await world.elapse(50 * S, S);
    expect(await only()).toMatchObject({ status: 'open' });
    await world.elapse(15 * S, S);
    expect(await only()).toMatchObject({ status: 'closed' });
    expect(world.posts).toHaveLength(2);
  });

  it('for some seconds again and again is none', async () => {
    for (let time = 0; time < 3; time++) {
      world.engine.servers.set('Kafka', false);
      await world.elapse(5 * S, S);
      world.engine.servers.set('Kafka', true);
      await world.elapse(30 * S, 5 * S);
    }
    expect(await world.issues()).toEqual([]);
  });

  it('is judged also where no process can host', async () => {
    world.lags.isHosting = false;
    world.engine.servers.set('MongoDB', false);
    await world.elapse(35 * S, S);
    expect(await only()).toMatchObject({ kind: 'server_away', status: 'open' });
    expect(world.posts).toHaveLength(1);
  });

  it('whose outage nobody could store is told of when it is back', async () => {
    const append = jest.spyOn(world.ledger.ports.events, 'append').mockRejectedValue(new StoreUnavailable('away'));
    world.engine.servers.set('EventStoreDB', false);
    const beganAt = world.ledger.clock.now();
    for (let second = 0; second < 60; second++) {
      await world.deliveries.elapse(S);
      await world.ledger.sweep(world.watch);
    }
    append.mockRestore();
    world.engine.servers.set('EventStoreDB', true);
    await world.elapse(2 * S, S);
    const { firstSeenAt = 0, lastSeenAt = 0 } = (await only()) ?? {};
    expect([firstSeenAt - beganAt, lastSeenAt - beganAt]).toEqual([S, 61 * S]);
    await world.elapse(70 * S, 2 * S);
    expect(await only()).toMatchObject({ status: 'closed', lastSeenAt });
    expect(world.posts).toHaveLength(2);
  });
});

describe('a read model', () => {
  it('that is a minute behind at two looks is an issue until it has caught up', async () => {
    world.lags.lagMs = 59 * S;
    await world.elapse(30 * S, 5 * S);
    expect(await world.issues()).toEqual([]);
    world.lags.lagMs = 61 * S;
    await world.elapse(25 * S, 5 * S);
    expect(await only()).toMatchObject({ kind: 'projection_behind', subject: { object: 'read_model', id: 'events' } });
    world.lags.lagMs = 6 * S;
    await world.elapse(2 * M, 10 * S);
    expect(await only()).toMatchObject({ status: 'open' });
    world.lags.lagMs = 100;
    await world.elapse(80 * S, 10 * S);
    expect(await only()).toMatchObject({ status: 'closed' });
  });

  it('that is behind for a moment only, as after a start, is none', async () => {
    world.lags.lagMs = 61 * M;
    await world.elapse(5 * S, 5 * S);
    world.lags.lagMs = 0;
    await world.elapse(30 * S, 5 * S);
    expect(await world.issues()).toEqual([]);
  });
});

describe('the disk of the data directory', () => {
  it.each([
    ['less than 1 GiB', GIB - 1, 4 * GIB],
    ['less than 5 %', 4 * GIB, 100 * GIB],
  ])('with %s free is an issue until more is free', async (_, freeBytes, totalBytes) => {
    world.engine.free = { freeBytes, totalBytes };
    await world.round();
    expect(await only()).toMatchObject({ kind: 'disk_low', subject: { object: 'data_directory', id: 'data' }, status: 'open' });
    world.engine.free = { freeBytes: 5 * GIB, totalBytes };
    await world.elapse(80 * S, 10 * S);
    expect(await only()).toMatchObject({ status: 'closed' });
  });
  it('with enough free is none', async () => {
    world.engine.free = { freeBytes: 5 * GIB, totalBytes: 100 * GIB };
    await world.round();
    expect(await world.issues()).toEqual([]);
  });
});

describe('a component that lacks an event', () => {
  const skip = (position: string) => [
    { type: 'SkipEvent', skippedEventId: `skip_${position}`, eventType: 'NoteCursed', position, ...ABOUT } as const,
  ];
  const resolve = (position: string) => [{ type: 'ResolveSkippedEvent', position } as const];

  it('is an issue of the installation at once, until it has lacked none for a minute', async () => {
    await world.skipped.run('customers', skip('1'), [ENVELOPE]);
    await world.skipped.run('customers', skip('2'), [ENVELOPE]);
    await world.elapse(5 * S, S);
    expect(await only()).toMatchObject({
      kind: 'event_skipped',
      projectId: null,
      subject: { object: 'component', id: 'customers' },
      status: 'open',
      count: 1,
    });
    await world.skipped.run('customers', resolve('1'), [ENVELOPE]);
    await world.elapse(2 * M, 5 * S);
    expect(await only()).toMatchObject({ status: 'open' });
    await world.skipped.run('customers', resolve('2'), [ENVELOPE]);
    await world.elapse(55 * S, 5 * S);
    expect(await only()).toMatchObject({ status: 'open' });
    await world.elapse(10 * S, 5 * S);
    expect(await only()).toMatchObject({ status: 'closed' });
    await world.skipped.run('customers', skip('3'), [ENVELOPE]);
    await world.elapse(5 * S, S);
    expect(await only()).toMatchObject({ status: 'open', count: 2 });
  });
});
