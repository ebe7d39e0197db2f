import { FakeClock, settle } from '@testing/fake-clock';
import { DeadlineMissed, LastingClient } from './lasting-client.js';

class FakeClient {
  disconnects = 0;

  constructor(private readonly connecting: () => Promise<void>) {}

  connect(): Promise<void> {
    return this.connecting();
  }

  disconnect(): Promise<void> {
    this.disconnects += 1;
    return Promise.resolve();
  }
}

function lasting(connecting: () => Promise<void> = () => Promise.resolve()) {
  const [pace, made]: [FakeClock, FakeClient[]] = [new FakeClock(), []];
  const client = new LastingClient(() => {
    const fresh = new FakeClient(connecting);
    made.push(fresh);
    return fresh;
  }, pace);
  return { pace, made, client };
}

describe('a client that lasts', () => {
  it('is made for the first use, and serves every other', async () => {
    const { made, client } = lasting();
    expect(made).toHaveLength(0);
    const used = await Promise.all([client.use((own) => Promise.resolve(own)), client.use((own) => Promise.resolve(own))]);
    expect([made.length, used]).toEqual([1, [made[0], made[0]]]);
  });

  it('that does not answer for five seconds fails the use, and is replaced for the next', async () => {
    const { pace, made, client } = lasting();
    const silent = client.use(() => new Promise(() => undefined)).catch((error: unknown) => error);
    await pace.advance(5_000);
    expect(await silent).toEqual(new DeadlineMissed('no answer within 5000 ms'));
    expect(made[0]?.disconnects).toBe(1);
    expect(await client.use((own) => Promise.resolve(own))).toBe(made[1]);
  });

  it('is disconnected once, however many uses of it were not answered', async () => {
    const { pace, made, client } = lasting();
    const silent = Array.from({ length: 20 }, () => client.use(() => new Promise(() => undefined)).catch(() => undefined));
    await pace.advance(5_000);
    await Promise.all(silent);
    await client.use(() => Promise.resolve());
    expect(made.map(({ disconnects }) => disconnects)).toEqual([1, 0]);
  });

  it('is kept when the work fails by itself', async () => {
    const { pace, made, client } = lasting();
    await expect(client.use(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await client.use(() => Promise.resolve());
    expect([made.length, pace.pending]).toEqual([1, 0]);
  });

  it('that cannot connect fails the use, and the next one tries again', async () => {
    let isThere = false;
    const { made, client } = lasting(() => (isThere ? Promise.resolve() : Promise.reject(new Error('absent'))));
    await expect(client.use(() => Promise.resolve('done'))).rejects.toThrow('absent');
    isThere = true;
    expect(await client.use(() => Promise.resolve('done'))).toBe('done');
    expect(made.map(({ disconnects }) => disconnects)).toEqual([1, 0]);
  });

  it('is kept when the one that it replaced fails to connect at last', async () => {
    const failures: (() => void)[] = [];
    const { pace, made, client } = lasting(() =>
      made.length === 1 ? new Promise((_, reject) => failures.push(() => reject(new Error('absent')))) : Promise.resolve(),
    );
    const slow = client.use(() => Promise.resolve()).catch(() => undefined);
    await pace.advance(5_000);
    await slow;
    await client.use(() => Promise.resolve());
    failures.forEach((fail) => fail());
    await settle();
    expect(await client.use((own) => Promise.resolve(own))).toBe(made[1]);
    expect(made.map(({ disconnects }) => disconnects)).toEqual([1, 0]);
  });

  it('is disconnected when it is closed', async () => {
    const { made, client } = lasting();
    await client.close();
    await client.use(() => Promise.resolve());
    await client.close();
    await settle();
    expect(made.map(({ disconnects }) => disconnects)).toEqual([1]);
  });
});
