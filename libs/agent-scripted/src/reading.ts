import type { DateTime } from 'luxon';
import { type TimePart, clockOfHour, timeAt } from './times.js';
import { CONTACT, tokensOf } from './tokens.js';
import { MODIFIERS, NO_NAME, PLACES, type Slot, VOCABULARY, type Verb, isVerb } from './words.js';

/** One part of a message: the words that it takes, and the one slot that they belong to. */
export interface Item {
  readonly slot: Slot | 'time' | 'unread';
  /** As the tables have them. */
  readonly words: string;
  readonly start: number;
  readonly end: number;
  readonly clause: number;
  readonly time?: TimePart;
  /** A service as the customer's appointments spell it. */
  readonly name?: string;
}

const LONGEST_NAME = 60;

type Found = Pick<Item, 'slot' | 'words' | 'time' | 'name'>;

const ruleOf = (slot: Item['slot'], form: string) => ({ slot, form: new RegExp(`(?:${form})(?= |$)`, 'uy') });
const anyOf = (phrases: readonly string[]) => phrases.toSorted((one, other) => other.length - one.length).join('|');
const RULES = [
  ...[...VOCABULARY].map(([slot, phrases]) =>
    ruleOf(slot, slot === 'service' ? `(?:(?:${anyOf(MODIFIERS)}) )*(?:${anyOf(phrases)})` : anyOf(phrases)),
  ),
  ruleOf('contact', CONTACT),
  ruleOf('filler', String.raw`\p{Extended_Pictographic}\S*`),
  ruleOf('unread', String.raw`\S+`),
];

/** A name without what spelling may differ in. */
export function keyOf(name: string): string {
  return tokensOf(name)
    .map(({ word }) => word)
    .join(' ');
}

/** A message, every word of which belongs to exactly one item. */
export class Reading {
  constructor(
    readonly content: string,
    readonly items: readonly Item[],
  ) {}

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

  says(...phrases: readonly string[]): boolean {
    return this.items.some(({ words }) => phrases.includes(words));
  }

  get verbs(): readonly Verb[] {
    return this.items.map(({ slot }) => slot).filter(isVerb);
  }

  /** Whether it has a question mark, or asks for leave: "can I cancel it" is no order, "can you cancel it" is one. */
  get isQuestion(): boolean {
    return /[?？]/.test(this.content) || this.says('can i', 'could i', 'may i');
  }

  /** The services that are named. */
  get services(): readonly string[] {
    const named = this.of('service').map((item) => item.name ?? this.written(item, item).toLowerCase());
    return [...new Map(named.map((name) => [keyOf(name), name])).values()];
  }

  /** Runs of words that are not expected, as they were written, fillers between them included. Contact details are not shown. */
  besides(isExpected: (item: Item) => boolean): readonly string[] {
    const runs: [Item, Item][] = [];
    let isOpen = false;
    for (const item of this.items.filter(({ slot }) => slot !== 'filler')) {
      const run = runs.at(-1);
      const isStrange = item.slot !== 'contact' && !isExpected(item);
      if (isStrange && isOpen && run) run[1] = item;
      else if (isStrange) runs.push([item, item]);
      isOpen = isStrange;
    }
    return runs.map(([first, last]) => this.written(first, last));
  }

  /** The noun of an order that is in no table: what stands before a service, or behind an article where there is none. */
  get strangeService(): string | null {
    const { items } = this;
    const service = items.findIndex(({ slot }) => slot === 'service');
    if (service >= 0) {
      const from = items.slice(0, service).findLastIndex(({ slot }) => slot !== 'unread') + 1;
      return from < service ? this.nameOf(items.slice(from, service + 1)) : null;
    }
    const order = items.find(({ slot }) => isVerb(slot));
    const from = items.findIndex(
      ({ slot, clause }, index) =>
        slot === 'unread' && clause === (order?.clause ?? clause) && /(?:^| )an?$/.test(items[index - 1]?.words ?? ''),
    );
    const noun = from < 0 ? [] : items.slice(from);
    const end = noun.findIndex(({ slot }) => slot !== 'unread' && slot !== 'visit');
    return this.nameOf(noun.slice(0, end < 0 ? noun.length : end));
  }

  /** The place in a list that is named: 0 for the first, -1 for the last; null where none is. */
  get place(): number | null {
    const [choice, more] = this.items.filter(({ slot, time }) => slot === 'choice' || time?.number !== undefined);
    if (choice === undefined || more !== undefined) return null;
    const { words, time } = choice;
    // The last is in no such list, and -1 counts from the end.
    return time?.number === undefined ? PLACES.indexOf(words.replace(/ one$/, '')) : time.number - 1;
  }

  /** With a number alone taken for an hour, unless it says which: that is how the question for the time is answered. */
  withHour(isChoice: boolean): Reading {
    const isKept = isChoice || this.items.some(({ time }) => time?.clock !== undefined);
    return isKept ? this : new Reading(this.content, this.items.map(asHour));
  }

  /** The part before the first of these verbs. */
  before(verbs: readonly Verb[]): Reading {
    const end = this.items.findIndex(({ slot }) => isVerb(slot) && verbs.includes(slot));
    return end < 0 ? this : new Reading(this.content, this.items.slice(0, end));
  }

  private nameOf(items: readonly Item[]): string | null {
    const [first, last] = [items[0], items.at(-1)];
    if (first === undefined || last === undefined || items.length > 3 || items.some(({ words }) => NO_NAME.has(words)))
      return null;
    return last.end - first.start > LONGEST_NAME ? null : this.written(first, last).toLowerCase();
  }

  private written(first: Item, last: Item): string {
    return this.content.slice(first.start, last.end);
  }
}

/** Reads a message. `names` are those that the customer's appointments bear. */
export function readingOf(written: string, today: DateTime, names: readonly string[] = []): Reading {
  const content = written.replace(/[’‘ʼ]/g, "'");
  return new Reading(content, itemsOf(content, today, names));
}

function itemsOf(content: string, today: DateTime, names: readonly string[]): readonly Item[] {
  const tokens = tokensOf(content);
  const line = tokens.map(({ word }) => word).join(' ');
  const known = names.filter((name) => isName(name, today)).map((name) => ({ name, key: keyOf(name) }));
  const items: Item[] = [];
  let [at, next] = [0, 0];
  for (const { word, start, end, clause } of tokens) {
    const last = at < next ? items.pop() : undefined;
    const item = last ? { ...last, end } : { ...longestAt(line, at, today, known), start, end, clause };
    items.push(item);
    if (!last) next = at + item.words.length;
    at += word.length + 1;
  }
  return withHours(items);
}

/** Whether a name has a word of its own: one made of words of other tables would be taken for an order. */
function isName(name: string, today: DateTime): boolean {
  return itemsOf(name, today, []).some(({ slot }) => slot === 'unread' || slot === 'service');
}

/** The longest phrase of any table. Of equally long ones the first counts: times, names, then words in the order of the tables. */
function longestAt(line: string, at: number, today: DateTime, names: readonly { name: string; key: string }[]): Found {
  const time = timeAt(line, at, today);
  const found: readonly Found[] = [
    ...(time ? [{ slot: 'time' as const, words: time.text, time: time.part }] : []),
    ...names
      .filter(({ key }) => `${line} `.startsWith(`${key} `, at))
      .map(({ name, key }) => ({ slot: 'service' as const, words: key, name })),
    ...RULES.flatMap(({ slot, form }) => {
      form.lastIndex = at;
      const words = form.exec(line)?.[0];
      return words === undefined ? [] : [{ slot, words }];
    }),
  ];
  return found.reduce((longest, each) => (each.words.length > longest.words.length ? each : longest));
}

/** A number beside a day is an hour, and so is one that stands for another time: "tomorrow 9", "9 tomorrow", "at 9 or 10". */
function withHours(items: readonly Item[]): readonly Item[] {
  const isDay = (index: number) => items[index]?.time?.dates !== undefined;
  const isOther = (index: number) => items[index - 1]?.words === 'or' && items[index - 2]?.time !== undefined;
  return items.map((item, index) => (isDay(index - 1) || isDay(index + 1) || isOther(index) ? asHour(item) : item));
}

function asHour(item: Item): Item {
  const { number, dates } = item.time ?? {};
  const clock = number === undefined || dates !== undefined ? null : clockOfHour(number);
  return clock === null ? item : { ...item, time: { clock } };
}
