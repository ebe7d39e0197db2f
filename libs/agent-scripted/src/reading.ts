import { PhraseTable, tableOf } from './phrase-table.js';
import { type TimePart, clockOf, timeAt } from './times.js';
import { type Text, type Token, tokensOf } from './tokens.js';
import { NO_NAME, SLOTS, type Slot, type Verb, placeOf, serviceAt } from './words.js';

/** One part of a message: the tokens it takes, and the one slot that they belong to. */
export interface Item {
  readonly slot: Slot | 'time' | 'unread';
  readonly words: string;
  readonly start: number;
  readonly end: number;
  readonly clause: number;
  readonly time?: TimePart;
}

const ASKING_LEAVE = new Set(['can i', 'could i', 'may i']);

/** A message, every word of which belongs to exactly one item. */
export class Reading {
  readonly text: Text;
  items: readonly Item[];

  /** `names` are those that the customer's appointments bear. */
  constructor(
    readonly content: string,
    private readonly names: readonly string[] = [],
  ) {
    this.text = tokensOf(content);
    this.items = itemsOf(this.text, tableOf(names.filter(isName).map((name) => [keyOf(name), true] as const)));
  }

  has(...slots: readonly Item['slot'][]): boolean {
    return this.items.some(({ slot }) => slots.includes(slot));
  }

  /** Whether nothing but these slots and fillers is in it. */
  hasOnly(...slots: readonly Item['slot'][]): boolean {
    return this.items.length > 0 && this.items.every(({ slot }) => slot === 'filler' || slots.includes(slot));
  }

  of(slot: Item['slot']): readonly Item[] {
    return this.items.filter((item) => item.slot === slot);
  }

  get verbs(): readonly Verb[] {
    return this.items
      .map(({ slot }) => slot)
      .filter((slot): slot is Verb => ['book', 'confirm', 'move', 'cancel'].includes(slot));
  }

  /** Whether it has a question mark, or asks for leave: "can I cancel it" is no order, "can you cancel it" is one. */
  get isQuestion(): boolean {
    return this.text.hasQuestionMark || this.items.some(({ words }) => ASKING_LEAVE.has(words));
  }

  /** The services that are named: as the customer's appointments spell them, else as the message does. */
  get services(): readonly string[] {
    const named = this.of('service').map(
      ({ words, start, end }) => this.nameOf(words) ?? this.text.content.slice(start, end).toLowerCase(),
    );
    return [...new Map(named.map((name) => [keyOf(name), name])).values()];
  }

  /** Runs of words that are not expected, as they were written, fillers between them included. Contact details are not shown. */
  besides(isExpected: (item: Item) => boolean): readonly string[] {
    const runs: { start: number; end: number; isOpen: boolean }[] = [];
    for (const item of this.items) {
      const last = runs.at(-1);
      if (item.slot === 'filler') continue;
      if (item.slot === 'contact' || isExpected(item)) {
        if (last) last.isOpen = false;
      } else if (last?.isOpen) last.end = item.end;
      else runs.push({ start: item.start, end: item.end, isOpen: true });
    }
    return runs.map(({ start, end }) => this.text.content.slice(start, end));
  }

  /** The times that are named. */
  get times(): readonly Item[] {
    return this.of('time');
  }

  /** Whether it speaks of something as the writer's own. */
  get isOwn(): boolean {
    return this.items.some(({ slot, words }) => slot === 'filler' && words === 'my');
  }

  /** The words that change nothing. */
  get fillers(): string {
    return this.of('filler')
      .map(({ words }) => words)
      .join(' ');
  }

  /** Whether nothing but courtesies stands before an item. */
  beginsWith(item: Item): boolean {
    return this.items
      .slice(0, this.items.indexOf(item))
      .every(({ slot }) => ['filler', 'yes', 'greeting', 'thanks'].includes(slot));
  }

  /** What was written, without details of contact. */
  get withoutContacts(): string {
    const cutOut = (text: string, { start, end }: Item) => `${text.slice(0, start)}…${text.slice(end)}`;
    return this.of('contact').reduceRight(cutOut, this.text.content);
  }

  /** The part before the first of these verbs. */
  before(verbs: readonly Verb[]): Reading {
    const end = this.items.find(({ slot }) => verbs.includes(slot as Verb))?.start;
    return end === undefined ? this : new Reading(this.text.content.slice(0, end), this.names);
  }

  /** The noun of an order that is in no table: what stands before a service, or behind an article where there is none. */
  get strangeService(): string | null {
    const service = this.items.findIndex(({ slot }) => slot === 'service');
    let from = service;
    while (from > 0 && this.items[from - 1]?.slot === 'unread') from--;
    if (service >= 0) return from < service ? this.spanOf(from, service + 1) : null;
    const order = this.of('book')[0]?.clause;
    const isNamed = ({ slot, clause }: Item, index: number) =>
      slot === 'unread' && clause === (order ?? clause) && /(?:^| )an?$/.test(this.items[index - 1]?.words ?? '');
    const first = this.items.findIndex(isNamed);
    if (first < 0) return null;
    const length = this.items.slice(first).findIndex(({ slot }) => slot !== 'unread' && slot !== 'visit');
    return this.spanOf(first, length < 0 ? this.items.length : first + length);
  }

  /** The place in a list of so many that is named: "the second", "2", "2nd", -1 for the last; null where none is. */
  placeAmong(count: number): number | null {
    const [choice, more] = this.items.filter(
      ({ slot, time }) => slot === 'choice' || time?.says === 'number' || isDayOfMonth(time),
    );
    if (choice === undefined || more !== undefined) return null;
    const place = choice.slot === 'choice' ? placeOf(choice.words) : Number.parseInt(choice.words.replace(/^the /, ''), 10);
    return place <= count && place !== 0 ? place : null;
  }

  /** With a number alone taken for an hour, as the answer to the question for the time is. */
  withHour({ isChoice }: { readonly isChoice?: boolean }): Reading {
    const hasClock = this.items.some(({ time }) => time !== undefined && 'clock' in time);
    if (hasClock || isChoice) return this;
    return this.with((item) =>
      item.time?.says === 'number' && item.time.value < 24 ? { ...item, time: clockOf(item.words) } : item,
    );
  }

  /** With the words of one verb taken for another. */
  as(verb: Verb, other: Verb): Reading {
    return this.with((item) => (item.slot === verb ? { ...item, slot: other } : item));
  }

  private with(change: (item: Item) => Item): Reading {
    const changed = new Reading(this.content, this.names);
    changed.items = this.items.map(change);
    return changed;
  }

  /** This message with other names in mind. */
  knowing(names: readonly string[]): Reading {
    return new Reading(this.content, names);
  }

  private spanOf(from: number, to: number): string | null {
    const [start, end] = [this.items[from]?.start ?? 0, this.items[to - 1]?.end ?? 0];
    const isName = to - from <= 3 && end - start <= 60 && this.items.slice(from, to).every(({ words }) => !NO_NAME.has(words));
    return isName ? this.text.content.slice(start, end).toLowerCase() : null;
  }

  private nameOf(words: string): string | undefined {
    return this.names.find((name) => keyOf(name) === words);
  }
}

function isDayOfMonth(time: TimePart | undefined): boolean {
  return time?.says === 'day' && time.day.is === 'date' && time.day.month === null;
}

/** A name without what spelling may differ in. */
export function keyOf(name: string): string {
  return tokensOf(name)
    .tokens.map(({ word }) => word)
    .join(' ');
}

/** Whether a name has a word of its own: one made of words of other tables would be taken for an order. */
function isName(name: string): boolean {
  return itemsOf(tokensOf(name)).some(({ slot }) => slot === 'unread' || slot === 'service');
}

function itemsOf({ tokens }: Text, names = new PhraseTable<true>()): readonly Item[] {
  const items: Item[] = [];
  for (let at = 0; at < tokens.length;) {
    const { slot, length, time } = longestAt(tokens, at, names);
    const taken = tokens.slice(at, at + length);
    const [first, last] = [taken[0] as Token, taken.at(-1) as Token];
    const words = taken.map(({ word }) => word).join(' ');
    items.push({ slot, words, start: first.start, end: last.end, clause: first.clause, ...(time && { time }) });
    at += length;
  }
  return withHours(items);
}

interface Match {
  readonly slot: Item['slot'];
  readonly length: number;
  readonly time?: TimePart;
}

/** The longest phrase of any table. Of equally long ones, times go before words, words before services, and names come last. */
function longestAt(tokens: readonly Token[], at: number, names: PhraseTable<true>): Match {
  const time = timeAt(tokens, at);
  const phrase = SLOTS.longestAt(tokens, at);
  const kind = tokens[at]?.kind;
  const found: readonly Match[] = [
    { slot: 'time', length: time?.length ?? 0, ...(time && { time: time.part }) },
    { slot: phrase?.value ?? 'unread', length: phrase?.length ?? 0 },
    { slot: 'service', length: serviceAt(tokens, at) },
    { slot: 'service', length: names.longestAt(tokens, at)?.length ?? 0 },
    { slot: kind === 'contact' ? 'contact' : kind === 'emoji' ? 'filler' : 'unread', length: 1 },
  ];
  return found.reduce((longest, each) => (each.length > longest.length ? each : longest));
}

/** A number beside a day is an hour, and so is one that stands for another time: "tomorrow 9", "9 tomorrow", "at 9 or 10". */
function withHours(items: readonly Item[]): readonly Item[] {
  const isDay = (item: Item | undefined) => item?.time?.says === 'day';
  const isOther = (index: number) => items[index - 1]?.words === 'or' && items[index - 2]?.time !== undefined;
  return items.map((item, index) => {
    if (item.time?.says !== 'number' || !(isDay(items[index - 1]) || isDay(items[index + 1]) || isOther(index))) return item;
    return item.time.value > 23 ? item : { ...item, time: clockOf(item.words) };
  });
}
