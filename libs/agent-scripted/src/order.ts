import type { Scene } from './carry-out.js';
import type { Draft, Goal } from './note.js';
import { type Item, type Reading, keyOf } from './reading.js';
import { ONE_AT_A_TIME, joined, unreadText } from './replies.js';
import { isVerb } from './words.js';

/** A message taken as an order, or as a part of one that was begun. */
export interface Order {
  readonly reading: Reading;
  readonly draft: Draft;
  readonly scene: Scene;
  /** Stands before the reply where the order is offered in any case. */
  readonly onlyOffered?: string | undefined;
}

export type ReadOrder = ReturnType<typeof readOrder>;

const EXPECTED = ['service', 'visit', 'it', 'from', 'to', 'thanks', 'greeting', 'closing'];
const COURTESIES = ['filler', 'yes', 'greeting', 'thanks'];

/**
 * How an order was read: with no word that belongs to no part of it; as a whole, so that it may be carried out; and the sentences
 * that stand before any other reply. `unread` are words found elsewhere, `name` is the name of a strange service.
 */
export function readOrder(order: Order, given: Goal, unread: readonly string[] = [], name = '') {
  const { reading, draft, onlyOffered } = order;
  const strange = [...new Set([...reading.besides((item) => isExpected(item, order)), ...unread])];
  const isRead = strange.length === 0 && !reading.has('contact');
  const isMany = draft.verb !== 'book' && reading.has('all', 'visits');
  const isSure = draft.isDoubted !== true || (given.date !== undefined && given.clock !== undefined && draft.isChoice !== true);
  const unnamed = strange.filter((run) => !keyOf(name).includes(keyOf(run)));
  return {
    isRead,
    isWhole: isRead && isSure && !isMany && !reading.isQuestion && onlyOffered === undefined,
    intro: joined(onlyOffered ?? (isMany ? ONE_AT_A_TIME : ''), unreadText(unnamed)),
  };
}

function isExpected(item: Item, { reading: { items }, draft: { verb, isChoice = false }, scene }: Order): boolean {
  const { slot, time } = item;
  if (slot === 'yes')
    return !scene.note.offer && items.slice(0, items.indexOf(item)).every((each) => COURTESIES.includes(each.slot));
  if (slot === 'choice' || (time?.number !== undefined && time.dates === undefined)) return isChoice;
  if (slot === 'time') return verb === 'move' || time?.days === undefined;
  if (slot === 'later' || slot === 'earlier') return verb === 'move';
  if (slot === 'all' || slot === 'visits') return verb !== 'book';
  return slot === 'whatever' ? verb === 'book' : isVerb(slot) || EXPECTED.includes(slot);
}
