import fc from 'fast-check';
import { MAX_NOTE_BYTES } from '@ports/agent.port';
import { Chat } from '@testing/chat';
import { FakeLedger } from '@testing/fake-ledger';
import { ScriptedAgent } from './agent.scripted.js';
import { DateTime } from 'luxon';
import { readingOf } from './reading.js';
import { tokensOf } from './tokens.js';
import { type Slot, VOCABULARY } from './words.js';

const agent = new ScriptedAgent();
const from = (slot: Slot) => fc.constantFrom(...(VOCABULARY.get(slot) ?? []));
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: '' });
const pair = (...pairs: readonly (readonly [said: string, meant: string])[]) => fc.constantFrom(...pairs);

/** How days are named on Monday, 2 March 2026. */
const DAY = pair(
  ...([
    ['tomorrow', '2026-03-03'],
    ['the day after tomorrow', '2026-03-04'],
    ['on Friday', '2026-03-06'],
    ['sat', '2026-03-07'],
  ] as const),
  ...([
    ['next Friday', '2026-03-13'],
    ['on 5 April', '2026-04-05'],
    ['April 5th', '2026-04-05'],
    ['the 5th of April 2027', '2027-04-05'],
  ] as const),
  ...([
    ['on 2026-07-01', '2026-07-01'],
    ['on 13.4.', '2026-04-13'],
    ['4/13', '2026-04-13'],
    ['on the 12th', '2026-03-12'],
  ] as const),
);
const CLOCK = pair(
  ...([
    ['at 10am', '10:00'],
    ['at 3:30 pm', '15:30'],
    ['at 15:30', '15:30'],
    ['at 9', '09:00'],
    ['at 4', '16:00'],
    ['at noon', '12:00'],
  ] as const),
  ...([
    ['at half past ten', '10:30'],
    ['at quarter to five', '16:45'],
    ["at 8 o'clock", '08:00'],
    ['at ten', '10:00'],
    ['7pm', '19:00'],
  ] as const),
);
const POLITE = fc.constantFrom('please', 'can you', 'could you', "I'd like to", 'I would like to', 'I want to', 'hello, please');
const PARTING = maybe(fc.constantFrom('please', 'thanks', 'thank you very much', ', goodbye'));

interface Order {
  readonly words: readonly string[];
  readonly before: boolean;
  readonly after: string;
}

const verbOf = (verb: Slot) =>
  from(verb).filter((phrase) => !/^(?:can|could|may|i|bring|push|postpone|put off|make (?:it|that|this))\b/.test(phrase));
const orderOf = (parts: readonly string[], before: boolean, after: string): Order => ({
  words: parts.join(' ').trim().split(/\s+/),
  before,
  after,
});

const BOOKING = fc
  .tuple(maybe(POLITE), verbOf('book'), from('service'), DAY, CLOCK, fc.boolean(), PARTING)
  .map(([polite, verb, noun, [day, date], [clock, time], isDayFirst, parting]) => {
    const when = isDayFirst ? [day, clock] : [clock, day];
    return orderOf([polite, verb, 'for a', noun, ...when, parting], false, `${noun} ${date}T${time} pending`);
  });
const CONFIRMING = fc
  .tuple(maybe(POLITE), fc.constantFrom('it', 'my appointment', 'the checkup', 'the appointment on Thursday'), PARTING)
  .map(([polite, what, parting]) => orderOf([polite, 'confirm', what, parting], true, 'checkup 2026-03-05T11:00 confirmed'));
const CANCELLING = fc
  .tuple(maybe(POLITE), verbOf('cancel'), fc.constantFrom('it', 'my appointment', 'the checkup', 'my checkup at 11'), PARTING)
  .map(([polite, verb, what, parting]) => orderOf([polite, verb, what, parting], true, 'checkup 2026-03-05T11:00 cancelled'));
const MOVING = fc
  .tuple(maybe(POLITE), verbOf('move'), fc.constantFrom('it', 'my appointment', 'the checkup', 'it from 11'), DAY, CLOCK, PARTING)
  .map(([polite, verb, what, [day, date], [clock, time], parting]) =>
    orderOf([polite, verb, what, 'to', day, clock, parting], true, `checkup ${date}T${time} rescheduled`),
  );
const ORDER = fc.oneof(BOOKING, CONFIRMING, CANCELLING, MOVING);

const UNREAD = fc.stringMatching(/^zq[a-z]{1,8}$/);

function ledgerOf({ before }: Pick<Order, 'before'>): FakeLedger {
  const ledger = new FakeLedger();
  if (before) ledger.add('checkup', '2026-03-05T11:00:00Z');
  return ledger;
}

const brief = ({ appointments }: FakeLedger) =>
  appointments.map(({ service, starts_at, status }) => `${service} ${starts_at.slice(0, 16)} ${status}`);

describe('an order of the tables', () => {
  it('is carried out', async () => {
    await fc.assert(
      fc.asyncProperty(ORDER, async (order) => {
        const ledger = ledgerOf(order);
        await new Chat(agent, { toolbox: ledger }).say(order.words.join(' '));
        expect(brief(ledger)).toEqual([order.after]);
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing where a word of no table stands in it, whatever the place', async () => {
    await fc.assert(
      fc.asyncProperty(ORDER, fc.array(fc.tuple(UNREAD, fc.nat()), { minLength: 1, maxLength: 3 }), async (order, strangers) => {
        const ledger = ledgerOf(order);
        const words = [...order.words];
        for (const [word, place] of strangers) words.splice(place % (words.length + 1), 0, word);
        await new Chat(agent, { toolbox: ledger }).say(words.join(' '));
        expect(ledger.changes).toBe(0);
      }),
      { numRuns: 500 },
    );
  });

  it('changes nothing where it is a question', async () => {
    await fc.assert(
      fc.asyncProperty(ORDER, async (order) => {
        const ledger = ledgerOf(order);
        await new Chat(agent, { toolbox: ledger }).say(`${order.words.join(' ')}?`);
        expect(ledger.changes).toBe(0);
      }),
    );
  });
});

const PHRASE = fc.oneof(
  ...[...VOCABULARY.keys()].map(from),
  DAY.map(([said]) => said),
  CLOCK.map(([said]) => said),
  UNREAD,
  fc.constantFrom('?', ',', '.', '2', 'an hour', 'two days', '2026-03-05T11:00Z', '01/02', '25:00'),
);
const MESSAGE = fc.array(PHRASE, { maxLength: 9 }).map((phrases) => phrases.join(' '));
const TEXT = fc.oneof(MESSAGE, fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 }));

describe('whatever is said', () => {
  it('changes at most one appointment a message, and is answered with a note that can be kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(TEXT, { minLength: 1, maxLength: 5 }), async (messages) => {
        const ledger = ledgerOf({ before: true });
        ledger.add('massage', '2026-03-06T09:00:00Z');
        const chat = new Chat(agent, { toolbox: ledger });
        for (const message of messages) {
          const changes = ledger.changes;
          const { content, note = '{}' } = await chat.reply(message);
          expect(content.trim()).not.toBe('');
          expect(ledger.changes - changes).toBeLessThanOrEqual(1);
          expect(Buffer.byteLength(note)).toBeLessThanOrEqual(MAX_NOTE_BYTES);
        }
      }),
      { numRuns: 600 },
    );
  });

  it('is read so that every word belongs to one part', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const { items, content } = readingOf(text, DateTime.utc(2026, 3, 2), ['cut and go', 'my thing']);
        const ends = items.map(({ start, end }) => [start, end] as const);
        for (const { start, end } of tokensOf(content))
          expect(ends.filter(([from, to]) => from <= start && end <= to)).toHaveLength(1);
      }),
    );
  });

  it.each([
    'a '.repeat(4000),
    'book '.repeat(1600),
    '10'.repeat(4000),
    '+1 '.repeat(2600),
    'x@'.repeat(4000),
    "can't'".repeat(1300),
  ])('is read within a moment, however long it is: %.12s', async (message) => {
    expect((await new Chat(agent, { toolbox: new FakeLedger() }).say(message)).length).toBeLessThan(1500);
  });
});
