import { SystemClock } from '@adapters/clock.system';
import { EngineNotOpened } from '@ports/engine.port';
import { eventually } from '@ports/contracts/eventually';
import { batchOf, freshStream } from '@ports/contracts/noted-events';
import { EventStoreDouble, storesOver } from '@testing/event-store-double';
import { openEventStoreDb } from './open-eventstoredb.js';

class FastClock extends SystemClock {
  constructor(private readonly factor: number) {
    super();
  }
  override elapsed(): number {
    return super.elapsed() * this.factor;
  }
  override after(ms: number, callback: () => void): () => void {
    return super.after(ms / this.factor, callback);
  }
}

describe('a start', () => {
  let double: EventStoreDouble;
  afterEach(() => double.end());
  const open = (eventStoreUrl: string, clock = new SystemClock()) => openEventStoreDb({ eventStoreUrl, prefix: '' }, clock);
  const refusalOf = (opening: Promise<unknown>) => opening.catch((error: unknown) => error) as Promise<Error>;

  it('waits for a server that is being started', async () => {
    double = await EventStoreDouble.start();
    await double.process.kill();
    const opening = open(double.url);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await double.process.restart();
    const { store, close } = await opening;
    expect(await store.append(freshStream(), batchOf('a'), 'none')).toMatchObject({ revision: 0 });
    await close();
  });

  it('ends with a line that names the server, without its password, where the server stays away', async () => {
    double = await EventStoreDouble.start();
    await double.process.kill();
    const url = double.url.replace('esdb://', 'esdb://writer:my-secret@');
    const refusal = await refusalOf(open(url, new FastClock(20)));
    expect(refusal).toBeInstanceOf(EngineNotOpened);
    expect(refusal.message).toContain('EVENTSTORE_URL: esdb://writer:***@127.0.0.1');
    expect(refusal.message).not.toContain('my-secret');
  });

  it('refuses a server that tells no positions in streams', async () => {
    double = await EventStoreDouble.start(['events of a stream have positions']);
    const refusal = await refusalOf(open(double.url));
    expect(refusal).toBeInstanceOf(EngineNotOpened);
    expect(refusal.message).toContain('EventStoreDB 22.10 or later is needed');
  });

  it('ends at once where the server refuses the credentials', async () => {
    double = await EventStoreDouble.start();
    await double.misbehave({ call: 'append', kind: 'accessDenied', every: 1 });
    const begun = performance.now();
    const refusal = await refusalOf(open(double.url));
    expect(refusal).toBeInstanceOf(EngineNotOpened);
    expect(refusal.message).toContain('refuses: the user admin may not read and append to streams');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  it.each([
    ['may not read $all', 'accessDenied', 'refuses: the user writer may not read $all'],
    ['is not known', 'unauthenticated', 'refuses the user writer: wrong name or password'],
  ])('is refused in one line that names the user, where that %s', async (_, kind, why) => {
    double = await EventStoreDouble.start();
    await double.misbehave({ call: 'readAll', kind, every: 1 });
    const { message } = await refusalOf(open(double.url.replace('esdb://', 'esdb://writer:my@secret@')));
    expect(message).toMatch(/^EVENTSTORE_URL: esdb:\/\/writer:\*\*\*@127.*$/);
    expect(message).toContain(why);
    expect(message).not.toContain('secret');
  });

  it('that has succeeded is followed by a line that the server refuses, where the user may no longer read $all, until it may again', async () => {
    double = await EventStoreDouble.start();
    const warnings: string[] = [];
    const log = { warn: (message: string) => warnings.push(message) };
    const url = double.url.replace('esdb://', 'esdb://writer:my-secret@');
    const { health, close } = await openEventStoreDb({ eventStoreUrl: url, prefix: '' }, new SystemClock(), log);
    await double.misbehave({ call: 'readAll', kind: 'accessDenied', every: 1 });
    await eventually(() => expect(health()).toBe(false), 3_000);
    expect(warnings).toEqual([expect.stringContaining('refuses: the user writer may not read $all')]);
    await double.behave();
    await eventually(() => expect(health()).toBe(true), 6_000);
    await close();
  });

  it('warns once of a server on another machine to which everything travels unencrypted', async () => {
    double = await EventStoreDouble.start();
    const warnings: string[] = [];
    const log = { warn: (message: string) => warnings.push(message) };
    const url = `esdb://writer:my-secret@0.0.0.0:${double.process.port}?tls=false`;
    const { store, close } = await openEventStoreDb({ eventStoreUrl: url, prefix: '' }, new SystemClock(), log);
    await store.append(freshStream(), batchOf('a'), 'none');
    await close();
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('tls=false');
    expect(warnings[0]).not.toContain('my-secret');
  });

  it('tells of an outage and of its end, once each', async () => {
    double = await EventStoreDouble.start();
    const warnings: string[] = [];
    const log = { warn: (message: string) => warnings.push(message) };
    const { health, close } = await openEventStoreDb({ eventStoreUrl: double.url, prefix: '' }, new SystemClock(), log);
    expect(health()).toBe(true);
    await double.process.kill();
    await eventually(() => expect(health()).toBe(false), 3_000);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await double.process.restart();
    await eventually(() => expect(health()).toBe(true), 2_000);
    await close();
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain('does not answer');
    expect(warnings[1]).toContain('serves again');
  });

  it('gives the log one name, whoever comes first', async () => {
    double = await EventStoreDouble.start();
    const opened = await Promise.all([1, 2, 3].map(() => open(double.url)));
    const names = await Promise.all(opened.map(({ store }) => store.identity()));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).not.toBe('');
    for (const { close } of opened) await close();
  });

  it('serves two applications apart on one server', async () => {
    double = await EventStoreDouble.start();
    const [one, other] = [await storesOver(double.url, 'one-'), await storesOver(double.url, 'other-')];
    const { position } = await one.store.append('note-1', batchOf('of one'), 'none');
    await other.store.append('note-1', batchOf('of the other'), 'none');
    expect(await one.store.head()).toBe(position);
    expect(await other.store.read('note-1')).toMatchObject([{ stream: 'note-1', event: { text: 'of the other' } }]);
    expect(await one.store.identity()).not.toBe(await other.store.identity());
    await one.close();
    await other.close();
  });
});
