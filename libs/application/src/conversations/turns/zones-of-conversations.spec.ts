import { projectDecider } from '@domain/project/project.decider';
import { ENVELOPE } from '@testing/envelopes';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { projectStream } from '../../projects/project-directory.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.byDefault = () => saying('hi');
});
afterEach(() => world.close());

/** The zone that the agent gets, and the one that the conversation shows. */
async function zonesOf(said: { readonly metadata?: object; readonly timeZone?: string }, thread = 'thread') {
  const { metadata = {}, timeZone = null } = said;
  const target = { ...inThread(thread), metadata: JSON.stringify(metadata), timeZone } as ReturnType<typeof inThread>;
  const { conversation } = await world.post('tomorrow at 10', target);
  return [world.agent.asked.at(-1)?.turn.timeZone, conversation.timeZone];
}

async function projectIn(timeZone: string | null): Promise<void> {
  const create = { type: 'CreateProject', at: 1, projectId: PROJECT, name: 'default' } as const;
  const update = { type: 'UpdateProject', at: 2, commandId: `in ${timeZone}`, changes: { timeZone } } as const;
  await world.streams.run(projectStream(PROJECT), projectDecider, [create, update], ENVELOPE);
}

describe('the zone in which times in words are read', () => {
  it('is UTC where nobody named another', async () => expect(await zonesOf({})).toEqual(['UTC', null]));

  it("is the project's where the conversation has none", async () => {
    await projectIn('Europe/Berlin');
    expect(await zonesOf({})).toEqual(['Europe/Berlin', null]);
  });

  it("is the conversation's own before that of its metadata and its project", async () => {
    await projectIn('Europe/Berlin');
    const metadata = { time_zone: 'Asia/Tokyo' };
    expect(await zonesOf({ metadata })).toEqual(['Asia/Tokyo', null]);
    expect(await zonesOf({ metadata, timeZone: 'America/New_York' }, 'other')).toEqual(['America/New_York', 'America/New_York']);
  });

  it("is the project's where that of the metadata is none", async () => {
    await projectIn('Europe/Berlin');
    const named = ['Berlin', 'Mars/Base', '+01:00', '-0500', '+01', null, 5].map((time_zone) => ({ time_zone }));
    for (const [index, metadata] of [...named, { timezone: 'Asia/Tokyo' }, { nested: named[0] }].entries())
      expect(await zonesOf({ metadata }, `thread ${index}`)).toEqual(['Europe/Berlin', null]);
  });

  it.each([
    ['PST', 'America/Los_Angeles'],
    ['jst', 'Asia/Tokyo'],
    ['EST', 'EST'],
    ['europe/berlin', 'Europe/Berlin'],
    ['europe/kyiv', 'Europe/Kyiv'],
  ])('is of metadata that says %s the zone %s, which appointments show', async (time_zone, zone) => {
    expect(await zonesOf({ metadata: { time_zone } })).toEqual([zone, null]);
  });

  it.each([{ time_zone: 'pst' }, { time_zone: 'Mars/Base' }])(
    'is asked of the runtime once for many messages: %j',
    async (metadata) => {
      await zonesOf({ metadata });
      const asked = jest.spyOn(Intl, 'DateTimeFormat');
      for (const thread of ['thread', 'other']) await zonesOf({ metadata }, thread);
      expect(asked).not.toHaveBeenCalled();
      asked.mockRestore();
    },
  );

  it('stays that of the creation, whatever a later message says', async () => {
    await zonesOf({ timeZone: 'Asia/Tokyo' });
    expect(await zonesOf({ timeZone: 'Europe/Berlin' })).toEqual(['Asia/Tokyo', 'Asia/Tokyo']);
  });

  it('is kept over a restart', async () => {
    await zonesOf({ timeZone: 'Asia/Tokyo' });
    world = await world.restarted();
    world.agent.byDefault = () => saying('hi');
    await world.post('again', inThread('thread'), world.context('again'));
    expect(world.agent.asked.map(({ turn }) => turn.timeZone)).toEqual(['Asia/Tokyo']);
  });
});

describe('what a post is told of its conversation', () => {
  const isNewOf = async (thread = inThread('thread'), context = world.context()) =>
    (await world.post('hi', thread, context)).isNew;

  it('is that it made it, or that it was there', async () => {
    expect([await isNewOf(), await isNewOf()]).toEqual([true, false]);
    const [conversationId] = [world.threads.known(PROJECT, 'thread')!];
    expect((await world.post('hi', { kind: 'conversation', conversationId })).isNew).toBe(false);
    await world.endOf(conversationId);
    expect(await isNewOf()).toBe(true);
  });

  it('is the same for two at once: one of them made it', async () => {
    const both = await world.whileTimePasses(Promise.all([isNewOf(), isNewOf()]));
    expect(both.toSorted()).toEqual([false, true]);
  });

  it('is the same when it is repeated under its key', async () => {
    for (const expected of [true, false]) {
      const key = `key ${expected}`;
      expect(await isNewOf(inThread('thread'), world.context(key))).toBe(expected);
      expect(await isNewOf(inThread('thread'), world.context(key, true))).toBe(expected);
    }
  });
});
