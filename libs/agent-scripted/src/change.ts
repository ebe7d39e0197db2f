import { DateTime } from 'luxon';
import { type Said, type Scene, asked, carryOut, offered } from './carry-out.js';
import { type Appointment, upcoming } from './ledger-client.js';
import { type WantedTime, targetOf, wantedTime } from './moments.js';
import type { Draft } from './note.js';
import { type Order, type ReadOrder, readOrder } from './order.js';
import { type Item, type Reading, keyOf } from './reading.js';
import * as replies from './replies.js';
import { clockOfHour } from './times.js';
import type { Verb } from './words.js';

const MOST_CHOICES = 9;

type Change = Order & { readonly verb: Exclude<Verb, 'book'> };

/** Confirms, moves or cancels the one appointment that is meant; offers or asks where that is not all clear. */
export async function change(order: Change, all: readonly Appointment[], scene: Scene): Promise<Said> {
  const { reading, draft, verb } = order;
  const live = upcoming(all, scene.now).filter(({ id }) => draft.ids?.includes(id) ?? true);
  if (live.length === 0) return { content: replies.NONE };
  const sources = sourcesOf(order, live, scene);
  const places = reading.of('time').filter((item) => !sources.includes(item));
  const { goal: given, asks, unread } = goalOf(reading, places, scene);
  const read = readOrder(order, given, unread);
  const found = meant(order, live, sources, scene);
  const [one, other] = found;
  const isDoubted = !read.isRead || draft.isDoubted === true;
  const begun = { verb, goal: { ...draft.goal, ...given }, isDoubted };
  const choice = (among: readonly Appointment[], more: Partial<Draft>, question: string) => {
    const ids = idsOf(among.slice(0, MOST_CHOICES));
    const list = replies.listed(among.slice(0, MOST_CHOICES), scene.zone);
    return asked({ ...begun, ...more, ids, isChoice: true }, ...read.intro, question, list + replies.ASK_WHICH);
  };
  if (one === undefined) return choice(live, { isDoubted: true }, 'I see no such appointment. What I see:');
  if (asks !== null) return asked({ verb, goal: {}, isDoubted, ...(read.isRead && { ids: idsOf(found) }) }, ...read.intro, asks);
  if (other !== undefined) return choice(found, { isDoubted: isDoubted || !read.isWhole }, 'You have several appointments:');
  return changeOne(order, { ...begun, ids: [one.id] }, one, read, scene);
}

async function changeOne(order: Change, begun: Draft, one: Appointment, read: ReadOrder, scene: Scene): Promise<Said> {
  const { reading, draft, verb } = order;
  const { id, version, service, startsAt } = one;
  const where = `To which day and time shall I move ${replies.described(one, scene.zone)}?`;
  if (verb === 'move' && Object.keys(begun.goal).length === 0) return asked(begun, ...read.intro, where);
  const target = verb === 'move' ? targetOf(startsAt, begun.goal, scene) : { is: startsAt };
  if ('asks' in target) return asked({ ...begun, goal: {} }, ...read.intro, target.asks);
  const offer = { verb, id, version, service, at: target.is };
  const hasObject = verb === 'move' || draft.ids !== undefined || reading.has('service', 'visit', 'it', 'time');
  return read.isWhole && hasObject ? carryOut(offer, scene) : offered(offer, scene, ...read.intro);
}

const idsOf = (appointments: readonly Appointment[]) => appointments.map(({ id }) => id);
const isSpan = ({ time }: Item) => time?.minutes !== undefined || time?.days !== undefined;

/** The times that say which appointment is meant. The others say where it goes. */
function sourcesOf({ reading, draft }: Order, live: readonly Appointment[], scene: Scene): readonly Item[] {
  const times = reading.of('time').filter((item) => !isSpan(item));
  if (draft.verb !== 'move' || draft.isChoice) return times;
  if (draft.ids !== undefined) return [];
  const { items } = reading;
  const hasGoal =
    items.slice(items.findIndex(({ slot }) => slot === 'to')).some(({ slot }) => slot === 'time') && reading.has('to');
  const marked = times.filter((time) => {
    const at = items.indexOf(time);
    const mark = items.slice(0, at).findLast(({ slot }) => slot === 'from' || slot === 'to')?.slot;
    const noun = items.slice(at).find(({ slot }) => slot !== 'time')?.slot;
    return mark === 'from' || (mark === undefined && hasGoal) || noun === 'service' || noun === 'visit';
  });
  const isOwn = !hasGoal && marked.length === 0 && matching(live, reading.services, times, scene).length > 0;
  return isOwn ? times : marked;
}

/** Where a move leads: to a day, a time, or so much later or earlier. */
function goalOf(reading: Reading, times: readonly Item[], scene: Scene): WantedTime & { readonly unread: readonly string[] } {
  const spans = times.filter(isSpan);
  const wanted = wantedTime(
    times.filter((item) => !isSpan(item)),
    scene,
  );
  const directions = [...reading.of('later'), ...reading.of('earlier')];
  const [span, another] = spans;
  if (span === undefined) return { ...wanted, unread: directions.map(({ words }) => words) };
  const sign = signOf(reading.of('move')[0]?.words ?? '', directions);
  if (sign === 0 || another !== undefined || wanted.goal.date !== undefined)
    return { ...wanted, unread: spans.map(({ words }) => words) };
  const { days = 0, minutes = 0 } = span.time ?? {};
  return { ...wanted, goal: { ...wanted.goal, shift: { days: sign * days, minutes: sign * minutes } }, unread: [] };
}

/** 1 for later, -1 for earlier, 0 where the words leave it open: "move it back" may mean either. */
function signOf(verb: string, [word, other]: readonly Item[]): number {
  const usual = verb.startsWith('bring') ? -1 : ['push', 'postpone', 'put off'].includes(verb) ? 1 : 0;
  if (other !== undefined) return 0;
  if (word === undefined || word.words === 'back') return usual;
  return word.slot === 'later' ? 1 : -1;
}

/** Those that a message means: by their place in a list, by service and time, else the one that was spoken of last. */
function meant(
  { reading, draft, note }: Order,
  live: readonly Appointment[],
  sources: readonly Item[],
  scene: Scene,
): readonly Appointment[] {
  const chosen = draft.isChoice && reading.place !== null ? live.at(reading.place) : undefined;
  if (chosen !== undefined) return [chosen];
  const found = matching(live, reading.services, sources, scene);
  const last = found.filter(({ id }) => id === note.about);
  return last.length > 0 && reading.has('it') ? last : found;
}

/** Those of a service and a time; a name that is borne as a whole goes before one that holds it. */
export function matching(
  live: readonly Appointment[],
  services: readonly string[],
  times: readonly Item[],
  scene: Scene,
): readonly Appointment[] {
  const keys = services.map(keyOf);
  const exact = live.filter(({ service }) => keys.includes(keyOf(service)));
  const holding = live.filter(({ service }) => keys.some((key) => ` ${keyOf(service)} `.includes(` ${key} `)));
  const named = keys.length === 0 ? live : exact.length > 0 ? exact : holding;
  return named.filter((appointment) => times.every((item) => isAt(appointment, item, scene)));
}

function isAt({ startsAt }: Appointment, { time = {} }: Item, { zone }: Scene): boolean {
  const { dates, number, asks } = time;
  const start = DateTime.fromMillis(startsAt, { zone });
  const clock = number === undefined || dates ? time.clock : clockOfHour(number);
  const isDay = dates?.some((date) => date.hasSame(start, 'day')) ?? true;
  return asks === undefined && isDay && (clock === undefined || start.toFormat('HH:mm') === clock);
}
