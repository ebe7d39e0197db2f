import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import type { DomainEvent } from '@domain/kernel/decider';
import { ConversationWorld, PROJECT } from '@testing/conversation-world';
import { settle } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import { Cursors } from '../../paging/cursor.js';
import { PagedLists } from '../../paging/paged-list.js';
import { GetTranscript } from '../conversation.commands.js';
import type { MessageView } from '../state/message-view.js';
import { conversationStream } from '../state/conversation-stream.js';
import { GetTranscriptHandler } from './transcript.handler.js';

/** A page reads parts of two hundred events; one near the end reads at most three of them. */
const FAR = 600;
const UNANSWERED = 1_000;

let world: ConversationWorld;
let conversationId: string;
let handler: GetTranscriptHandler;

beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.byDefault = () => saying('at your service');
  conversationId = (await world.post('hello')).conversation.id;
  await fallSilent();
  handler = new GetTranscriptHandler(
    world.streams,
    world.ports.events,
    new PagedLists(new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 7)))),
  );
});
afterEach(() => world.close());

/** From now on the agent does not answer. */
async function fallSilent(): Promise<void> {
  const { ports, ids, clock } = world;
  const at = clock.now();
  const turns = Array.from({ length: UNANSWERED }, () => {
    const messageId = ids.next('message');
    return [
      { type: 'MessagePosted', at, messageId, content: 'anybody there?', plainText: false, windowEndsAt: at },
      { type: 'TurnFailed', at, messageId, reason: 'timeout' },
    ];
  });
  const { revision } = (await ports.events.read(conversationStream(conversationId))).at(-1)!;
  const events = turns.flat().map((event) => ({ id: ids.next('event'), event }));
  await ports.events.append(conversationStream(conversationId), events, revision);
}

/** Records reads of the transcript: how far from its end, and how much at once. */
function reads() {
  const seen = { inAll: 0, farAtOnce: 0 };
  let far = 0;
  const { events } = world.ports;
  const read = events.read.bind(events);
  events.read = async <E extends DomainEvent>(...[stream, options]: Parameters<typeof read>) => {
    if (options?.direction !== 'backwards') return read<E>(stream, options);
    const isFar = options.from !== undefined && options.from < 2 * UNANSWERED - FAR;
    seen.farAtOnce = Math.max(seen.farAtOnce, (far += Number(isFar)));
    await settle();
    const found = await read<E>(stream, options);
    far -= Number(isFar);
    seen.inAll += found.length;
    return found;
  };
  return seen;
}

function page(role: MessageView['role'] | null, limit = 20) {
  const request = { limit, order: 'desc', startingAfter: null, endingBefore: null } as const;
  return handler.execute(new GetTranscript(PROJECT, conversationId, request, role));
}

describe('a transcript', () => {
  it('is looked through by one at a time for what one side said long ago', async () => {
    const seen = reads();
    const pages = await Promise.all(Array.from({ length: 6 }, () => page('assistant')));
    for (const { items, hasMore, nextCursor } of pages) {
      expect(items).toMatchObject([{ role: 'assistant', content: 'at your service' }]);
      expect([hasMore, nextCursor]).toEqual([false, null]);
    }
    expect(seen.farAtOnce).toBe(1);
  });

  it('shows what was said lately while others look through it', async () => {
    reads();
    const told: string[] = [];
    const ask = async (name: string, role: MessageView['role'] | null, limit: number) => {
      const { items } = await page(role, limit);
      told.push(`${name}: ${items.length}`);
    };
    const rare = [ask('rare', 'assistant', 20), ask('rare', 'assistant', 20)];
    await Promise.all([...rare, ask('all', null, 100), ask('those of the customer', 'user', 100)]);
    expect(told.slice(0, 2).sort()).toEqual(['all: 100', 'those of the customer: 100']);
    expect(told.slice(2)).toEqual(['rare: 1', 'rare: 1']);
  });

  it('is read once for what was said lately, and no farther', async () => {
    const seen = reads();
    expect((await page('user', 99)).items).toHaveLength(99);
    expect(seen.inAll).toBe(200);
  });
});
