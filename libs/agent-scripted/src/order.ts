import type { Draft, Goal, Note } from './note.js';
import { type Item, type Reading, keyOf } from './reading.js';
import { ONE_AT_A_TIME, unreadText } from './replies.js';

/** A message taken as an order, or as a part of one that was begun. */
export interface Order {
  readonly reading: Reading;
  readonly draft: Draft;
  readonly note: Note;
  /** Stands before the reply where the order is offered in any case. */
  readonly onlyOffered?: string;
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

/** Finds the words that belong to no part of an order. `more` are found elsewhere, `name` is the name of a strange service. */
export function readOrder(order: Order, given: Goal, more: readonly string[] = [], name: string | null = null): ReadOrder {
  const { reading, draft, onlyOffered } = order;
  const isName = (run: string) => name !== null && keyOf(name).includes(keyOf(run));
  const strange = [...reading.besides((item) => isExpected(item, order)), ...more];
  const isRead = strange.length === 0 && !reading.has('contact');
  const isMany = draft.verb !== 'book' && reading.has('all', 'visits');
  const isSure = draft.isDoubted !== true || (given.date !== undefined && given.clock !== undefined && draft.isChoice !== true);
  const intro = [onlyOffered ?? (isMany ? ONE_AT_A_TIME : ''), unreadText(strange.filter((run) => !isName(run)))];
  return { isRead, isWhole: isRead && isSure && !isMany && !reading.isQuestion && onlyOffered === undefined, intro };
}

function isExpected(item: Item, { reading, draft: { verb, isChoice = false }, note }: Order): boolean {
  const { slot, time } = item;
  if (slot === 'yes') return note.offer === undefined && reading.beginsWith(item);
  if (slot === 'choice' || time?.says === 'number') return isChoice;
  if (slot === 'time') return verb === 'move' || time?.says !== 'days';
  if (slot === 'later' || slot === 'earlier') return verb === 'move';
  if (slot === 'whatever') return verb === 'book';
  if (slot === 'all' || slot === 'visits') return verb !== 'book';
  return slot === verb || EXPECTED.includes(slot);
}
