import type { DateTime } from 'luxon';
import { TIME_FORMS, type TimePart, valueOf } from './times.js';
import { tokensOf } from './tokens.js';
import { MODIFIERS, NO_NAME, type Slot, VOCABULARY, type Verb, isVerb } from './words.js';

export interface Item {
  readonly slot: Slot | 'time' | 'unread';
  readonly words: string;
  readonly start: number;
  readonly end: number;
  readonly clause: number;
  readonly time?: TimePart | undefined;
  /** The service as the customer's appointments spell it. */
  readonly name?: string | undefined;
}

interface Rule {
  readonly slot: Item['slot'];
  readonly form: RegExp;
  readonly name?: string;
  readonly read?: (typeof TIME_FORMS)[number][1];
}

const PLACES = ['first', 'second', 'third', 'fourth', 'fifth'];
const MAX_NAME_LENGTH = 60;

const formOf = (source: string) => new RegExp(`(?:${source})(?= |$)`, 'uy');
const anyOf = (phrases: readonly string[]) => phrases.toSorted((one, other) => other.length - one.length).join('|');

const UNREAD: Rule = { slot: 'unread', form: formOf(String.raw`\S+`) };
/** Of equally long matches the first wins. */
const TIME_RULES: readonly Rule[] = TIME_FORMS.map(([source, read]) => ({ slot: 'time', form: formOf(source), read }));
const WORD_RULES: readonly Rule[] = [
  ...[...VOCABULARY].map(([slot, phrases]) => {
    const before = slot === 'service' ? `(?:(?:${anyOf(MODIFIERS)}) )*` : '';
    return { slot, form: formOf(`${before}(?:${anyOf(phrases)})`) };
  }),
  UNREAD,
];

export function keyOf(name: string): string {
  return tokensOf(name)
    .map(({ word }) => word)
    .join(' ');
}

export function holds(name: string, other: string): boolean {
  return ` ${keyOf(name)} `.includes(` ${keyOf(other)} `);
}

/** A message whose every word belongs to exactly one item. */
export class Reading {
  constructor(
    readonly content: string,
    readonly items: readonly Item[],
  ) {}

  has(...slots: readonly Item['slot'][]): boolean {
    return this.items.some(({ slot }) => slots.includes(slot));
  }

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

  /** A question mark, or a request for permission: "can I cancel it" is no order, "can you cancel it" is one. */
  get isQuestion(): boolean {
    return /[?？]/.test(this.content) || this.says('can i', 'could i', 'may i');
  }

  get services(): readonly string[] {
    const named = this.of('service').map((item) => item.name ?? this.written([item]).toLowerCase());
    return [...new Map(named.map((name) => [keyOf(name), name])).values()];
  }

  /** Runs of unexpected words as written, with fillers between them. Hides contact details. */
  besides(isExpected: (item: Item) => boolean): readonly string[] {
    const runs: Item[][] = [[]];
    for (const item of this.items.filter(({ slot }) => slot !== 'filler'))
      if (item.slot === 'contact' || isExpected(item)) runs.push([]);
      else runs.at(-1)?.push(item);
    return runs.filter((run) => run.length > 0).map((run) => this.written(run));
  }

  /** The unknown noun of an order: before a service, or after an article without one. */
  get strangeService(): string | null {
    const { items } = this;
    const service = items.findIndex(({ slot }) => slot === 'service');
    const order = items.find(({ slot }) => isVerb(slot));
    const isNamed = ({ slot, clause }: Item, index: number) =>
      slot === 'unread' && clause === (order?.clause ?? clause) && /\ban?$/.test(items[index - 1]?.words ?? '');
    const isBefore = ({ slot }: Item, index: number) => index < service && slot !== 'unread';
    const from = service < 0 ? items.findIndex(isNamed) : items.findLastIndex(isBefore) + 1;
    if (from < 0 || from === service) return null;
    const end = items.findIndex(({ slot }, index) => index > from && slot !== 'unread' && slot !== 'visit');
    const named = items.slice(from, end < 0 ? undefined : end === service ? end + 1 : end);
    const name = this.written(named).toLowerCase();
    return named.length <= 3 && name.length <= MAX_NAME_LENGTH && !named.some(({ words }) => NO_NAME.includes(words))
      ? name
      : null;
  }

  /** The named place in a list: 0 for the first, -1 for the last; null without one. */
  get place(): number | null {
    const [choice, more] = this.items.filter(({ slot, time }) => slot === 'choice' || time?.number !== undefined);
    if (choice === undefined || more !== undefined) return null;
    const { words, time } = choice;
    // "The last" is not in the list and counts from the end.
    return time?.number === undefined ? PLACES.indexOf(words) : time.number - 1;
  }

  /** Takes a lone number for an hour, unless it chooses from a list: the answer to the question for the time. */
  withHour(isChoice: boolean): Reading {
    if (isChoice || this.items.some(({ time }) => time?.clock !== undefined)) return this;
    const items = this.items.map((item) => (item.time?.hour === undefined ? item : { ...item, time: { clock: item.time.hour } }));
    return new Reading(this.content, items);
  }

  before(verbs: readonly Verb[]): Reading {
    const end = this.items.findIndex(({ slot }) => isVerb(slot) && verbs.includes(slot));
    return end < 0 ? this : new Reading(this.content, this.items.slice(0, end));
  }

  private written(items: readonly Item[]): string {
    return this.content.slice(items[0]?.start ?? 0, items.at(-1)?.end ?? 0);
  }
}

export function readingOf(written: string, today: DateTime, names: readonly string[] = []): Reading {
  const content = written.replace(/[’‘ʼ]/g, "'");
  // A name made of words in the tables would be taken for an order.
  const known = names.filter((name) => itemsOf(name, today, []).some(({ slot }) => slot === 'unread' || slot === 'service'));
  const rules = known.map((name): Rule => {
    const source = keyOf(name).replace(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`);
    return { slot: 'service', form: formOf(source), name };
  });
  return new Reading(content, itemsOf(content, today, rules));
}

function itemsOf(content: string, today: DateTime, names: readonly Rule[]): readonly Item[] {
  const tokens = tokensOf(content);
  const line = tokens.map(({ word }) => word).join(' ');
  const rules = [...TIME_RULES, ...names, ...WORD_RULES];
  const items: Item[] = [];
  let [at, next] = [0, 0];
  for (const { word, start, end, clause } of tokens) {
    const last = at < next ? items.pop() : undefined;
    const item = last ? { ...last, end } : { ...longestAt(line, at, rules, today), start, end, clause };
    items.push(item);
    if (!last) next = at + item.words.length;
    at += word.length + 1;
  }
  return items;
}

function longestAt(line: string, at: number, rules: readonly Rule[], today: DateTime) {
  let longest: { readonly rule: Rule; readonly match: readonly string[] } = { rule: UNREAD, match: [] };
  for (const rule of rules) {
    rule.form.lastIndex = at;
    const match = rule.form.exec(line);
    if (match && match[0].length > (longest.match[0]?.length ?? 0)) longest = { rule, match };
  }
  const {
    rule: { slot, name, read },
    match: [words = '', ...groups],
  } = longest;
  return { slot, words, name, time: read?.({ text: words, today }, ...groups.map(valueOf)) };
}
