import { DateTime } from 'luxon';
import { type Said, asked, carryOut, offered } from './carry-out.js';
import { type Appointment, upcoming } from './ledger-client.js';
import { targetOf, wantedTime } from './wanted-time.js';
import type { Draft } from './note.js';
import { type Order, type ReadOrder, readOrder } from './order.js';
import { type Item, type Reading, holds, keyOf } from './reading.js';
import * as replies from './replies.js';
import type { Verb } from './words.js';

const MOST_CHOICES = 9;
const LATER = /^(?:later|out|push|postpone|put off)$/;
const EARLIER = /^(?:earlier|sooner|bring .*)$/;

type Live = readonly Appointment[];
type Change = Order & { readonly verb: Exclude<Verb, 'book'> };

/** Confirms, moves or cancels the one appointment that is meant; offers or asks where that is not all clear. */
export async function change(order: Change): Promise<Said> {
  const { reading, draft, verb, scene } = order;
  const live = upcoming(await scene.ledger.all(), scene.now).filter(({ id }) => draft.ids?.includes(id) ?? true);
  if (live.length === 0) return { content: replies.NONE };
  const times = reading.of('time').filter((item) => !isSpan(item));
  const sources = sourcesOf(order, live, times);
  const places = times.filter((item) => !sources.includes(item));
  const wanted = wantedTime(places, scene);
  const { shift, unread } = shiftOf(reading, wanted.goal.date === undefined);
  const given = { ...wanted.goal, ...shift };
  const read = readOrder(order, given, unread);
  const found = meant(order, live, sources);
  const [one, other] = found;
  const isDoubted = !read.isRead || draft.isDoubted === true;
  const begun = { verb, goal: { ...draft.goal, ...given }, isDoubted };
  if (one !== undefined && wanted.asks !== null)
    return asked({ verb, goal: {}, isDoubted, ...(read.isRead && { ids: idsOf(found) }) }, read.intro, wanted.asks);
  if (one !== undefined && other === undefined) return changeOne(order, { ...begun, ids: [one.id] }, one, read);
  const among = (one === undefined ? live : found).slice(0, MOST_CHOICES);
  const question = one === undefined ? 'I see no such appointment. What I see:' : 'You have several appointments:';
  const draftOfOne = { ...begun, ids: idsOf(among), isChoice: true, isDoubted: isDoubted || one === undefined || !read.isWhole };
  return asked(draftOfOne, read.intro, question, replies.listed(among, scene.zone));
}

async function changeOne(order: Change, begun: Draft, one: Appointment, read: ReadOrder): Promise<Said> {
  const { reading, draft, verb, scene } = order;
  const { id, version, service, startsAt } = one;
  const where = `To which day and time shall I move ${replies.described(one, scene.zone)}?`;
  if (verb === 'move' && Object.keys(begun.goal).length === 0) return asked(begun, read.intro, where);
  const target = verb === 'move' ? targetOf(startsAt, begun.goal, scene) : { is: startsAt };
  if ('asks' in target) return asked({ ...begun, goal: {} }, read.intro, target.asks);
  const offer = { verb, id, version, service, at: target.is };
  const hasObject = verb === 'move' || draft.ids !== undefined || reading.has('service', 'visit', 'it', 'time');
  return read.isWhole && hasObject ? carryOut(offer, scene) : offered(offer, scene, read.intro);
}

const idsOf = (appointments: Live) => appointments.map(({ id }) => id);
const isSpan = ({ time }: Item) => time?.minutes !== undefined || time?.days !== undefined;

/** The times that say which appointment is meant. The others say where it goes. */
function sourcesOf({ reading, draft, scene }: Order, live: Live, times: readonly Item[]): readonly Item[] {
  if (draft.verb !== 'move' || draft.isChoice) return times;
  if (draft.ids !== undefined) return [];
  const { items } = reading;
  const to = items.findIndex(({ slot }) => slot === 'to');
  const hasGoal = to >= 0 && times.some((time) => items.indexOf(time) > to);
  const marked = times.filter((time) => {
    const at = items.indexOf(time);
    const mark = items.slice(0, at).findLast(({ slot }) => slot === 'from' || slot === 'to')?.slot ?? (hasGoal ? 'from' : 'to');
    const noun = items.slice(at).find(({ slot }) => slot !== 'time')?.slot;
    return mark === 'from' || noun === 'service' || noun === 'visit';
  });
  const isOwn = !hasGoal && marked.length === 0 && matching(live, reading, times, scene.zone).length > 0;
  return isOwn ? times : marked;
}

/** How much later or earlier; what of that is not clear is unread. "Move it back" may mean either. */
function shiftOf(reading: Reading, mayShift: boolean) {
  const spans = reading.of('time').filter(isSpan);
  const directions = [...reading.of('later'), ...reading.of('earlier')];
  const direction = directions.find(({ words }) => words !== 'back') ?? reading.of('move')[0];
  const sign = EARLIER.test(direction?.words ?? '') ? -1 : LATER.test(direction?.words ?? '') ? 1 : 0;
  const { days = 0, minutes = 0 } = spans[0]?.time ?? {};
  if (spans.length === 1 && directions.length <= 1 && sign !== 0 && mayShift)
    return { shift: { shift: { days: sign * days, minutes: sign * minutes } }, unread: [] };
  return { shift: {}, unread: (spans.length > 0 ? spans : directions).map(({ words }) => words) };
}

/** Those that a message means: by their place in a list, by service and time, else the one that was spoken of last. */
function meant({ reading, draft, scene }: Order, live: Live, sources: readonly Item[]): Live {
  const chosen = draft.isChoice && reading.place !== null ? live.at(reading.place) : undefined;
  if (chosen !== undefined) return [chosen];
  const found = matching(live, reading, sources, scene.zone);
  const last = found.filter(({ id }) => id === scene.note.about);
  return last.length > 0 && reading.has('it') ? last : found;
}

/** Those of the services that are named, and of a time; a name that is borne as a whole goes before one that holds it. */
export function matching(live: Live, { services }: Reading, times: readonly Item[], zone: string): Live {
  const exact = live.filter(({ service }) => services.some((name) => keyOf(name) === keyOf(service)));
  const holding = live.filter(({ service }) => services.some((name) => holds(service, name)));
  const named = services.length === 0 ? live : exact.length > 0 ? exact : holding;
  return named.filter(({ startsAt }) => times.every((item) => isAt(DateTime.fromMillis(startsAt, { zone }), item)));
}

function isAt(start: DateTime, { time = {} }: Item): boolean {
  const { dates, clock, asks } = time;
  const isDay = dates?.some((date) => date.hasSame(start, 'day')) ?? true;
  return asks === undefined && isDay && (clock === undefined || start.toFormat('HH:mm') === clock);
}
