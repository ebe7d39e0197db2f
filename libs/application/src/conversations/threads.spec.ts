import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import type { ClaimEvent } from '@domain/claim/claim.decider';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import { START } from '@ports/event-store.port';
import { ConversationWorld, inThread } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { OpenConversation } from './conversation.commands.js';

type Step = 'post' | 'open' | 'end' | 'idle';

async function everything(world: ConversationWorld): Promise<Recorded<DomainEvent>[]> {
  const all: Recorded<DomainEvent>[] = [];
  const head = await world.ports.events.head();
  if (head === START) return all;
  const end = new AbortController();
  for await (const { events, upTo } of world.ports.events.subscribe(START, { signal: end.signal })) {
    all.push(...events);
    if (upTo >= head) break;
  }
  return all;
}

async function take(world: ConversationWorld, step: Step): Promise<void> {
  const creation = { externalId: 'thread', customer: null, metadata: '{}', timeZone: null };
  switch (step) {
    case 'post':
      await world.post('hello', inThread('thread')).catch(() => {});
      return;
    case 'open':
      await world.open.execute(new OpenConversation(world.context(), creation)).catch(() => {});
      return;
    case 'end': {
      const held = await world.claims.holder('thread', world.context().projectId, 'thread');
      if (held) await world.endOf(held.holder).catch(() => {});
      return;
    }
    case 'idle':
      world.clock.set(world.clock.now() + world.settings.conversationIdleMs);
  }
}

/** For every claim that succeeds another: where the earlier holder's end is in the log, and where the claim is. */
function successions(log: readonly Recorded<DomainEvent>[]): { ended: string | undefined; claimed: string }[] {
  const claims = log.filter(({ stream }) => stream.startsWith('thread-')) as unknown as Recorded<ClaimEvent>[];
  return claims.slice(1).map((claim, index) => {
    const before = `conversation-${claims[index]!.event.holder}`;
    const end = log.find(({ stream, event }) => stream === before && event.type === 'ConversationEnded');
    return { ended: end?.position, claimed: claim.position };
  });
}

// Jobs that outlive their window are cut off when the world closes; they say so.
beforeAll(() => Logger.overrideLogger(false));

describe('a thread', () => {
  it('has at most one live conversation, whatever happens at once', async () => {
    const step = fc.constantFrom<Step>('post', 'post', 'open', 'end', 'idle');
    const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rounds, async (script) => {
        const world = await ConversationWorld.create();
        world.agent.byDefault = () => saying('hi');
        for (const round of script) await world.whileTimePasses(Promise.all(round.map((next) => take(world, next))));
        const log = await everything(world);
        await world.close();
        for (const { ended, claimed } of successions(log)) expect(ended !== undefined && ended < claimed).toBe(true);
        const ends = log.filter(({ event }) => event.type === 'ConversationEnded').map(({ stream }) => stream);
        expect(new Set(ends).size).toBe(ends.length);
      }),
      { numRuns: 20 },
    );
  }, 180_000);
});
