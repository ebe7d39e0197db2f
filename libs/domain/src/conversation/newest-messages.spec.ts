import fc from 'fast-check';
import { conversationDecider } from './conversation.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import { NOTHING_SAID, afterEvent, lastMessages } from './newest-messages.js';
import { UNOPENED } from './conversation.js';

const id = fc.integer({ min: 1, max: 30 }).map((n) => `msg_${n}`);
const note = fc.option(fc.record({ writer: fc.constant('agent'), text: fc.string({ maxLength: 2_000 }) }), { nil: undefined });
const content = fc.oneof(fc.string({ maxLength: 40 }), fc.constant('x'.repeat(3_000)));
const history = fc.array(
  fc.oneof<fc.Arbitrary<ConversationEvent>[]>(
    fc.record({ content }).map((said): ConversationEvent => ({ ...said, ...POSTED })),
    fc.record({ content, inReplyTo: id, note }).map((said): ConversationEvent => ({ ...REPLIED, ...said }) as ConversationEvent),
    id.map((messageId): ConversationEvent => ({ type: 'TurnFailed', at: 1, messageId, reason: 'timeout' })),
    id.map((messageId): ConversationEvent => ({ type: 'TurnReopened', at: 1, messageId, windowEndsAt: 2 })),
    fc.constant<ConversationEvent>({ type: 'ConversationHandedOff', at: 1 }),
  ),
  { maxLength: 260 },
);
const POSTED = { type: 'MessagePosted', at: 1, messageId: '', plainText: false, windowEndsAt: 2 } as const;
const REPLIED = { type: 'AgentReplied', at: 1, replyId: '', actions: [] } as const;

/** Each message has an id of its own, counted from 1. */
function numbered(events: readonly ConversationEvent[]): ConversationEvent[] {
  let count = 0;
  return events.map((event) => {
    if (event.type === 'MessagePosted') return { ...event, messageId: `msg_${++count}` };
    return event.type === 'AgentReplied' ? { ...event, replyId: `msg_${++count}` } : event;
  });
}

describe('the newest messages of a conversation', () => {
  it('are the last of all that were said, or are known to lack some, within bounds', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 1, max: 110 }), fc.option(id, { nil: undefined }), (made, count, upTo) => {
        const events = numbered(made);
        const all = events.reduce(afterEvent, NOTHING_SAID);
        const { newest } = events.reduce((state, event) => conversationDecider.evolve(state, event), UNOPENED);
        const [kept, told] = [lastMessages(newest, count, upTo), lastMessages(all, count, upTo)];
        if (kept !== null) expect(kept).toEqual(told);
        expect(newest.messages.length).toBeLessThanOrEqual(100);
        const characters = newest.messages.reduce((sum, each) => sum + each.content.length + (each.note?.text.length ?? 0), 0);
        expect([characters, characters <= 8_192]).toEqual([newest.characters, true]);
      }),
    );
  });

  it('are all of them while they are few and short', () => {
    const events = numbered(Array.from({ length: 100 }, () => ({ ...POSTED, content: 'Hello' })));
    const { newest } = events.reduce((state, event) => conversationDecider.evolve(state, event), UNOPENED);
    expect(lastMessages(newest, 100)).toHaveLength(100);
    expect(lastMessages(newest, 200)).toHaveLength(100);
    expect(lastMessages(newest, 1, 'msg_7')).toMatchObject([{ id: 'msg_7' }]);
    expect(lastMessages(newest, 100, 'msg_unknown')).toBeNull();
  });
});
