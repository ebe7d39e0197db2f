import type { Draft, Goal, Note } from './note.js';
import { type Item, type Reading, keyOf } from './reading.js';
import { ONE_AT_A_TIME, unreadText } from './replies.js';
import { isVerb } from './words.js';

/** A message taken as an order, or as a part of one that was begun. */
export interface Order {
  readonly reading: Reading;
  readonly draft: Draft;
  readonly note: Note;
  /** Stands before the reply where the order is offered in any case. */
  readonly onlyOffered?: string | undefined;
}

/** How an order was read. */
export interface ReadOrder {
  /** Every word belongs to it. */
  readonly isRead: boolean;
  /** It may be carried out: it is read, is no question, and is about one thing. */
  readonly isWhole: boolean;
  /** Sentences that stand before any reply that does not carry it out. */
  readonly intro: readonly string[];
}

const EXPECTED = ['service', 'visit', 'it', 'from', 'to', 'thanks', 'greeting', 'closing'];
const COURTESIES = ['filler', 'yes', 'greeting', 'thanks'];

/** Finds the words that belong to no part of an order. `unread` are found elsewhere, `name` is the name of a strange service. */
export function readOrder(order: Order, given: Goal, unread: readonly string[] = [], name = ''): ReadOrder {
  const { reading, draft, onlyOffered } = order;
  const strange = [...new Set([...reading.besides((item) => isExpected(item, order)), ...unread])];
  const isRead = strange.length === 0 && !reading.has('contact');
  const isMany = draft.verb !== 'book' && reading.has('all', 'visits');
  const isSure = draft.isDoubted !== true || (given.date !== undefined && given.clock !== undefined && draft.isChoice !== true);
  const unnamed = strange.filter((run) => !keyOf(name).includes(keyOf(run)));
  return {
    isRead,
    isWhole: isRead && isSure && !isMany && !reading.isQuestion && onlyOffered === undefined,
    intro: [onlyOffered ?? (isMany ? ONE_AT_A_TIME : ''), unreadText(unnamed)],
  };
}

function isExpected(item: Item, { reading: { items }, draft: { verb, isChoice = false }, note }: Order): boolean {
  const { slot, time } = item;
  switch (slot) {
    case 'yes':
      return note.offer === undefined && items.slice(0, items.indexOf(item)).every((each) => COURTESIES.includes(each.slot));
    case 'choice':
      return isChoice;
    case 'time':
      return time?.number !== undefined && time.dates === undefined ? isChoice : verb === 'move' || time?.days === undefined;
    case 'later':
    case 'earlier':
      return verb === 'move';
    case 'whatever':
      return verb === 'book';
    case 'all':
    case 'visits':
      return verb !== 'book';
    default:
      return isVerb(slot) || EXPECTED.includes(slot);
  }
}
