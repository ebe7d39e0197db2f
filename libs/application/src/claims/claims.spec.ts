import { ConversationWorld } from '@testing/conversation-world';

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
    const history = await world.claims.history('booking', 'prj_1', 'nine');
    expect(history.map(({ holder }) => holder)).toEqual(Array.from({ length: 100 }, (_, n) => `apt_${99 - n}`));
  });

  it('is joined by none but those who ask for it', async () => {
    for (const holder of ['apt_0', 'apt_1']) expect(await claim(holder, { queues: false })).toMatchObject({ holder: 'apt_0' });
    expect(await world.claims.history('booking', 'prj_1', 'nine')).toHaveLength(1);
  });

  it('keeps the place of whoever is in it, though it is full', async () => {
    for (let n = 0; n < 105; n++) await claim(`apt_${n}`);
    await claim('apt_7', { renews: true, commandId: 'again' });
    await claim('apt_103', { renews: true, commandId: 'once more' });
    const history = await world.claims.history('booking', 'prj_1', 'nine');
    expect([history.length, history[0]?.holder]).toEqual([101, 'apt_7']);
  });

  it('has room again once those at its head have left', async () => {
    for (let n = 0; n < 105; n++) await claim(`apt_${n}`);
    const hasLeft = (holder: string) => Promise.resolve(holder === 'apt_0');
    expect(await claim('apt_later', { hasLeft })).toMatchObject({ holder: 'apt_1' });
    expect(await claim('apt_late', { hasLeft })).toMatchObject({ holder: 'apt_1' });
    const [newest] = await world.claims.history('booking', 'prj_1', 'nine');
    expect(newest?.holder).toBe('apt_later');
  });
});
