import { FakeClock } from '@testing/fake-clock';
import { FakeEventStore } from '@testing/fake-event-store';
import { FakeExpiringRecords } from '@testing/fake-expiring-records';
import { FakeIds } from '@testing/fake-ids';
import { fakeSettings } from '@testing/fake-settings';
import { QuickPasswords } from '@testing/quick-passwords';
import { FakeEngine } from '@testing/fake-engine';
import { AdminPasswords } from '../admin/admin-passwords.js';
import { LoginAttempts } from '../admin/login-attempts.js';
import { StreamCache } from '../streams/stream-cache.js';
import { StreamRunner } from '../streams/stream-runner.js';
import { EventStoreApiKeys } from '../projects/api-keys.event-store.js';
import { FirstStart, type Announcement, type FirstSecrets } from './first-start.js';
import { FirstStartTurn } from './first-start-turn.js';
import { KeyUsage } from '../projects/key-usage.js';
import { ProjectDirectory } from '../projects/project-directory.js';
import { SecretMint } from '../projects/secret-mint.js';

const INVENTED: FirstSecrets = { apiKey: null, adminPassword: null };
const CHOSEN: FirstSecrets = { apiKey: 'sk_chosen_by_the_operator_0001', adminPassword: 'correct horse battery' };

describe('the first start', () => {
  const clock = new FakeClock();
  const secrets = new QuickPasswords(new Uint8Array(32));
  let seed = 0;
  let store: FakeEventStore;
  let records: FakeExpiringRecords;

  beforeEach(() => {
    store = new FakeEventStore();
    records = new FakeExpiringRecords(clock);
  });

  /** A process of this installation; `alone` on a single-process engine. */
  function process(alone = true) {
    const ids = new FakeIds(clock, ++seed);
    const streams = new StreamRunner(store, new StreamCache(store), clock, ids);
    const mint = new SecretMint(ids, secrets, streams, clock);
    const passwords = new AdminPasswords(streams, new LoginAttempts(records, clock), secrets, ids, clock);
    const engine = new FakeEngine(alone ? 'one' : 'several');
    const directory = new ProjectDirectory(streams, clock, fakeSettings());
    const turn = new FirstStartTurn(records, engine, clock);
    return {
      first: new FirstStart(streams, mint, passwords, turn, ids, clock),
      keys: new EventStoreApiKeys(directory, new KeyUsage(records, clock), streams, secrets, clock),
      passwords,
    };
  }

  async function start(chosen: FirstSecrets, from = process()): Promise<Announcement[]> {
    const told: Announcement[] = [];
    await from.first.run(chosen, (made) => void told.push(made));
    return told;
  }

  const projects = () => store.log.filter(({ event }) => event.type === 'ProjectCreated');
  const opened = async (made: Announcement | undefined) => {
    const { keys, passwords } = process();
    const caller = await keys.authenticate(made?.apiKey ?? '');
    await passwords.check(made?.adminPassword ?? '');
    return caller;
  };

  it('makes and tells a project, a key with every scope and the admin password', async () => {
    const [made] = await start(INVENTED);
    expect(made).toMatchObject({ projectName: 'default', apiKey: expect.stringMatching(/^sk_/) });
    expect(await opened(made)).toMatchObject({ projectId: made?.projectId, scopes: expect.arrayContaining(['agent']) });
  });

  it('takes what the operator chose and does not tell it', async () => {
    const [made] = await start(CHOSEN);
    expect(made).toMatchObject({ projectName: 'default', apiKey: null, adminPassword: null });
    await opened({ ...made, ...CHOSEN } as Announcement);
  });

  it('tells what it made beside what the operator chose', async () => {
    const { adminPassword } = CHOSEN;
    const [made] = await start({ apiKey: null, adminPassword });
    expect(made).toMatchObject({ apiKey: expect.stringMatching(/^sk_/), adminPassword: null });
    await opened({ ...made, adminPassword } as Announcement);
  });

  it('happens once: later starts tell and change nothing', async () => {
    await start(INVENTED);
    const after = store.log.length;
    expect(await start(CHOSEN)).toEqual([]);
    expect(store.log).toHaveLength(after);
  });

  it.each([1, 2, 3, 4, 5, 6])('locks nobody out when the process dies after append %i', async (appends) => {
    const append = store.append.bind(store);
    let left = appends;
    store.append = (...batch) => (left-- > 0 ? append(...batch) : Promise.reject(new Error('killed')));
    const lost = await start(INVENTED).then(
      (told) => told,
      () => [],
    );
    store.append = append;
    await clock.advance(10);
    const again = await start(INVENTED);
    await opened(again[0] ?? lost[0]);
    expect(projects()).toHaveLength(1);
    expect(await start(INVENTED)).toEqual([]);
  });

  it('is made again when it could not be told, and the untold secrets are void', async () => {
    const untold: Announcement[] = [];
    const failing = process().first.run(INVENTED, (made) => {
      untold.push(made);
      throw new Error('nobody listens');
    });
    await expect(failing).rejects.toThrow('nobody listens');
    await clock.advance(10);
    const [made] = await start(INVENTED);
    await opened(made);
    await expect(opened(untold[0])).rejects.toMatchObject({ code: 'api_key_invalid' });
    expect(projects()).toHaveLength(1);
  });

  it('of several gateways together is told by one', async () => {
    const told: Announcement[] = [];
    const starts = [1, 2, 3].map(() => process(false).first.run(INVENTED, (made) => void told.push(made)));
    await clock.advance(1_000);
    await Promise.all(starts);
    expect(told).toHaveLength(1);
    await opened(told[0]);
  });
});
