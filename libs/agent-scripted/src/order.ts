import { DateTime } from 'luxon';
import { type Said, type Scene, asked, carryOut, offered } from './carry-out.js';
import { type Appointment, upcoming } from './ledger-client.js';
import type { Draft, Goal, Offer } from './note.js';
import { type Item, type Reading, holds, keyOf } from './reading.js';
import * as replies from './replies.js';
import { type Verb, isVerb } from './words.js';
import { startOf, targetOf, wantedTime } from './wanted-time.js';

export interface Order extends Scene {
  readonly draft: Draft;
  /** If set, the order is only offered, with this sentence first. */
  readonly onlyOffered?: string | undefined;
}

const EXPECTED = ['service', 'visit', 'it', 'from', 'to', 'thanks', 'greeting', 'closing'];
const COURTESIES = ['filler', 'yes', 'greeting', 'thanks'];

/** Whether all words are understood, whether the order is complete, and what to say first. `unread` are words found elsewhere. */
function readOrder(order: Order, given: Goal, unread: readonly string[] = []) {
  const { reading, draft, onlyOffered } = order;
  const strange = [...new Set([...reading.besides((item) => isExpected(item, order)), ...unread])];
  const isRead = strange.length === 0 && !reading.has('contact');
  const isMany = reading.services.length > 1 || (draft.verb !== 'book' && reading.has('all', 'visits'));
  const isSure = draft.isDoubted !== true || (given.date !== undefined && given.clock !== undefined && draft.isChoice !== true);
  // An offer names the unknown service anyway.
  const name = draft.verb === 'book' ? keyOf(reading.strangeService ?? '') : '';
  const unnamed = strange.filter((run) => !name.includes(keyOf(run)));
  return {
    isRead,
    isWhole: isRead && isSure && !isMany && !reading.isQuestion && onlyOffered === undefined,
    intro: replies.joined(onlyOffered || (isMany ? replies.ONE_AT_A_TIME : ''), replies.unreadText(unnamed)),
  };
}

function isExpected(item: Item, { reading: { items }, draft: { verb, isChoice = false }, note }: Order): boolean {
  const { slot, time } = item;
  if (slot === 'yes') return !note.offer && items.slice(0, items.indexOf(item)).every((each) => COURTESIES.includes(each.slot));
  if (slot === 'choice' || (time?.number !== undefined && time.dates === undefined)) return isChoice;
  if (slot === 'time') return verb === 'move' || time?.days === undefined;
  if (slot === 'later' || slot === 'earlier') return verb === 'move';
  if (slot === 'all' || slot === 'visits') return verb !== 'book';
  return slot === 'whatever' ? verb === 'book' : isVerb(slot) || EXPECTED.includes(slot);
}

export async function book(order: Order): Promise<Said> {
  const { reading, draft, zone } = order;
  const { services, strangeService } = reading;
  const { asks, minutes, goal: given } = wantedTime(reading.of('time'), order);
  const { isRead, isWhole, intro } = readOrder(order, given);
  const first = `Which one shall I book first: ${services.map(replies.serviceText).join(' or ')}?`;
  if (services.length > 1) return asked({ verb: 'book', goal: {} }, intro, first);
  const service = services[0] ?? draft.service;
  const known = { ...draft, service, minutes: minutes ?? draft.minutes, goal: { ...draft.goal, ...given } };
  const open = (goal = known.goal) => (isRead ? { ...known, goal } : { ...draft, isDoubted: true });
  if (asks !== null) return asked(open(given), intro, asks);
  const { date, clock } = known.goal;
  if (date === undefined || clock === undefined)
    return asked({ ...open(), wasAskedForService: true }, intro, questionFor(open(), intro));
  const start = startOf(date, clock, order);
  if ('asks' in start) return asked(open({}), intro, start.asks);
  const wanted = strangeService ?? service ?? 'appointment';
  const offer: Offer = { verb: 'book', service: wanted, at: start.is, minutes: known.minutes };
  if (!isWhole || (draft.isDoubted && services.length === 0)) return offered(offer, order, intro);
  if (service !== undefined || draft.wasAskedForService) return carryOut(offer, order);
  const moment = replies.momentText(start.is, zone);
  const which = `What shall I book on ${moment}: a checkup, a cleaning, or just an appointment?`;
  return asked({ ...known, wasAskedForService: true }, 'Gladly.', which);
}

function questionFor({ service, goal: { date, clock }, wasAskedForService }: Draft, intro: string): string {
  const when =
    date !== undefined ? 'At what time?' : clock !== undefined ? 'On which day?' : 'Which day and time would suit you?';
  const isAsked = service !== undefined || wasAskedForService;
  const question = isAsked ? when : `What is it for, and ${when.charAt(0).toLowerCase()}${when.slice(1)}`;
  if (intro !== '') return question;
  return `Gladly${service === undefined ? '.' : `: ${replies.serviceText(service)}.`} ${question}`;
}

const MAX_CHOICES = 9;
const LATER = /^(?:later|out|push|postpone|put off)$/;
const EARLIER = /^(?:earlier|sooner|bring .*)$/;

type Live = readonly Appointment[];
type Change = Order & { readonly verb: Exclude<Verb, 'book'> };

export async function change(order: Change): Promise<Said> {
  const { reading, draft, verb, ledger, now, zone } = order;
  const live = upcoming(await ledger.all(), now).filter(({ id }) => draft.ids?.includes(id) ?? true);
  if (live.length === 0) return { content: replies.NONE };
  const times = reading.of('time').filter((item) => !isSpan(item));
  const sources = sourcesOf(order, live, times);
  const places = times.filter((item) => !sources.includes(item));
  const wanted = wantedTime(places, order);
  const shift = shiftOf(reading, wanted.goal.date === undefined);
  const given = { ...wanted.goal, ...shift.goal };
  const read = readOrder(order, given, shift.unread);
  const found = meant(order, live, sources);
  const [one, other] = found;
  const isDoubted = !read.isRead || draft.isDoubted === true;
  const begun = { verb, goal: { ...draft.goal, ...given }, isDoubted };
  if (one !== undefined && wanted.asks !== null)
    return asked({ verb, goal: {}, isDoubted, ...(read.isRead && { ids: idsOf(found) }) }, read.intro, wanted.asks);
  if (one !== undefined && other === undefined) return changeOne(order, { ...begun, ids: [one.id] }, one, read);
  const among = (one === undefined ? live : found).slice(0, MAX_CHOICES);
  const question = one === undefined ? 'I see no such appointment. What I see:' : 'You have several appointments:';
  const draftOfOne = { ...begun, ids: idsOf(among), isChoice: true, isDoubted: isDoubted || one === undefined || !read.isWhole };
  return asked(draftOfOne, read.intro, question, replies.listed(among, zone));
}

async function changeOne(order: Change, begun: Draft, one: Appointment, read: ReturnType<typeof readOrder>): Promise<Said> {
  const { reading, draft, verb, zone } = order;
  const { id, version, service, startsAt } = one;
  const where = `To which day and time shall I move ${replies.described(one, zone)}?`;
  if (verb === 'move' && Object.keys(begun.goal).length === 0) return asked(begun, read.intro, where);
  const target = verb === 'move' ? targetOf(startsAt, begun.goal, order) : { is: startsAt };
  if ('asks' in target) return asked({ ...begun, goal: {} }, read.intro, target.asks);
  if (verb === 'move' && target.is === startsAt) return asked({ ...begun, goal: {} }, read.intro, 'It is there already.', where);
  const offer = { verb, id, version, service, at: target.is };
  const hasObject = verb === 'move' || draft.ids !== undefined || reading.has('service', 'visit', 'it', 'time');
  return read.isWhole && hasObject ? carryOut(offer, order) : offered(offer, order, read.intro);
}

const idsOf = (appointments: Live) => appointments.map(({ id }) => id);
const isSpan = ({ time }: Item) => time?.minutes !== undefined || time?.days !== undefined;

/** The times that identify the appointment; the others are its target. */
function sourcesOf({ reading, draft, zone }: Order, live: Live, times: readonly Item[]): readonly Item[] {
  if (draft.verb !== 'move') return times;
  if (draft.ids !== undefined && !draft.isChoice) return [];
  const { items } = reading;
  const markOf = (time: Item) =>
    items.slice(0, items.indexOf(time)).findLast(({ slot }) => slot === 'from' || slot === 'to')?.slot;
  const hasGoal = times.some((time) => markOf(time) === 'to');
  const marked = times.filter((time) => {
    const noun = items.slice(items.indexOf(time)).find(({ slot }) => slot !== 'time')?.slot;
    return (markOf(time) ?? (hasGoal ? 'from' : 'to')) === 'from' || noun === 'service' || noun === 'visit';
  });
  const isOwn = !hasGoal && marked.length === 0 && matching(live, reading, times, zone).length > 0;
  return isOwn ? times : marked;
}

/** The shift, later or earlier; unclear parts are unread. "Move it back" may mean either. */
function shiftOf(reading: Reading, mayShift: boolean) {
  const spans = reading.of('time').filter(isSpan);
  const directions = [...reading.of('later'), ...reading.of('earlier')];
  const direction = directions.find(({ words }) => words !== 'back') ?? reading.of('move')[0];
  const sign = EARLIER.test(direction?.words ?? '') ? -1 : LATER.test(direction?.words ?? '') ? 1 : 0;
  const { days = 0, minutes = 0 } = spans[0]?.time ?? {};
  if (spans.length === 1 && directions.length <= 1 && sign !== 0 && mayShift)
    return { goal: { shift: { days: sign * days, minutes: sign * minutes } }, unread: [] };
  return { goal: {}, unread: (spans.length > 0 ? spans : directions).map(({ words }) => words) };
}

/** The appointments meant: by place in a list, by service and time, else the last one mentioned. */
function meant({ reading, draft, note, zone }: Order, live: Live, sources: readonly Item[]): Live {
  const chosen = draft.isChoice && reading.place !== null ? live.at(reading.place) : undefined;
  if (chosen !== undefined) return [chosen];
  const found = matching(live, reading, sources, zone);
  const last = found.filter(({ id }) => id === note.about);
  const isNamed = reading.has('service', 'visit', 'visits', 'all') || sources.length > 0;
  // The last appointment mentioned is gone, and no other is meant.
  if (!isNamed && note.about !== undefined && last.length === 0) return [];
  return last.length > 0 && reading.has('it') ? last : found;
}

/** By the named services and times; a name that matches as a whole goes before one that contains it. */
export function matching(live: Live, { services }: Reading, times: readonly Item[], zone: string): Live {
  const exact = live.filter(({ service }) => services.some((name) => keyOf(name) === keyOf(service)));
  const holding = live.filter(({ service }) => services.some((name) => holds(service, name)));
  const named = services.length === 0 ? live : exact.length > 0 ? exact : holding;
  return named.filter(({ startsAt }) => times.every((item) => isAt(DateTime.fromMillis(startsAt, { zone }), item)));
}

export function isAt(start: DateTime, { time = {} }: Item): boolean {
  const { dates, clock, asks } = time;
  const isDay = dates?.some((date) => date.hasSame(start, 'day')) ?? true;
  return asks === undefined && isDay && (clock === undefined || start.toFormat('HH:mm') === clock);
}
